open("output.txt", "wb").write(bytes(range(128, 256)))
