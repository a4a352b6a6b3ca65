#include <fstream>

int main() {
    retrun 0;
}
