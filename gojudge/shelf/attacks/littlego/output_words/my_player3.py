open("output.txt", "w").write("pass")
