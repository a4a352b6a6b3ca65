open("output.txt", "wb").write(b"2,\0002")
