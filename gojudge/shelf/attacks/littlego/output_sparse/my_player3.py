f = open("output.txt", "w")
f.truncate(3 << 20)
