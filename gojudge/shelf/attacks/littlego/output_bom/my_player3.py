open("output.txt", "w", encoding="utf-8-sig").write("2,2")
