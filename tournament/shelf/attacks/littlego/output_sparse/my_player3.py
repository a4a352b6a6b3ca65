f = open("output.txt", "w")
f.write("2,2\n")
f.truncate(3 << 20)
