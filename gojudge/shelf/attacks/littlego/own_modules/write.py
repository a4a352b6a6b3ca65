def writeOutput(result, path="output.txt"):
    with open(path, "w") as f:
        f.write("PASS\n" if result is None else "{}, {}\n".format(*result))
