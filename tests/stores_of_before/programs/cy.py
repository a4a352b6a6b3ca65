from pathlib import Path

lines = Path("input.txt").read_text().split()
size = len(lines[1])
board = lines[1 + size :]
if __name__ == "__main__":
    free = [f"{i},{j}" for i in range(size) for j in range(size) if board[i][j] == "0"]
    Path("output.txt").write_text(free[0] if len(free) > 4 else "PASS")
