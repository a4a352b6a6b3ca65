raise RuntimeError("BREACH: a file beside the submission was taken for another module")
