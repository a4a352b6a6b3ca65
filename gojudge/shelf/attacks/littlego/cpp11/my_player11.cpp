#include <fstream>
#include <string>
#include <vector>
#include "board.h"

int main() {
    std::ifstream in("input.txt");
    std::string side, row;
    std::vector<std::string> rows;
    in >> side;
    while (in >> row) rows.push_back(row);
    std::ofstream out("output.txt");
    out << answer(std::vector<std::string>(rows.begin() + 5, rows.end()));
    return 3;
}
