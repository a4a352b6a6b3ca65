open("output.txt", "w").write("7,1")
