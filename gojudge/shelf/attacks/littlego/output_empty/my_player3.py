open("output.txt", "w").close()
