"""Alpha-beta with the course's modules, as most hand it in."""
import sys
import random
from read import readInput
from write import writeOutput
from host import GO


class MinimaxPlayer():
    def __init__(self):
        self.type = 'minimax'

    def get_input(self, go, piece_type):
        best, best_moves = -1000, []
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    test = go.copy_board()
                    test.place_chess(i, j, piece_type)
                    test.remove_died_pieces(3 - piece_type)
                    value = test.score(piece_type) - test.score(3 - piece_type)
                    if value > best:
                        best, best_moves = value, [(i, j)]
                    elif value == best:
                        best_moves.append((i, j))
        return best_moves[len(best_moves) // 2] if best_moves else "PASS"


if __name__ == "__main__":
    N = 5
    piece_type, previous_board, board = readInput(N)
    go = GO(N)
    go.set_board(piece_type, previous_board, board)
    player = MinimaxPlayer()
    action = player.get_input(go, piece_type)
    writeOutput(action)
