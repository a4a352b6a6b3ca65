"""Prints without end instead of being loaded."""

while True:
    print("x" * (1 << 20))
