for name in ("<b>\n\x1b[2J", "\u202etxt.tuptuo", b"\xff"):
    open(name, "w").close()
