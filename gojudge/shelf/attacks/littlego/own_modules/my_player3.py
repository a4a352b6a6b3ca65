from read import readInput
from write import writeOutput
from host import GO

piece_type, previous_board, board, n_move = readInput(5)
go = GO(5, n_move)
writeOutput(go.first(board))
