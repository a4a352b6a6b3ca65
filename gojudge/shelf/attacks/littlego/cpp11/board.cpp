#include "board.h"

std::string answer(const std::vector<std::string>& board) {
    auto empty = [&](int i, int j) { return i >= 0 && j >= 0 && i < 5 && j < 5 && board[i][j] == '0'; };
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            if (empty(i, j) && (empty(i + 1, j) || empty(i - 1, j) || empty(i, j + 1) || empty(i, j - 1)))
                return std::to_string(i) + "," + std::to_string(j);
    return "PASS";
}
