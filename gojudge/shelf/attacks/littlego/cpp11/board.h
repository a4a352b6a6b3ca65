#include <string>
#include <vector>
std::string answer(const std::vector<std::string>& board);
