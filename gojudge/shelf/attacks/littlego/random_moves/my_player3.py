from random import choice
from read import readInput
from write import writeOutput, writePass
from host import GO

piece_type, previous_board, board = readInput(5, "input.txt")
go = GO(5)
go.set_board(piece_type, previous_board, board)
moves = [(i, j) for i in range(5) for j in range(5) if go.valid_place_check(i, j, piece_type, True)]
if moves:
    writeOutput(choice(moves))
else:
    writePass()
