open("output.txt", "w").write("2,2\n" + "x" * 1000000)
