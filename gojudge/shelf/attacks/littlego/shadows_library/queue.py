OWN = True
