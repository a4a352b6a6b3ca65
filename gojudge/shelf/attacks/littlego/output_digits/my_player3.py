open("output.txt", "w").write("\u0662,\u0662")
