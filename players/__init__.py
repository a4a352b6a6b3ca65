"""Players: the course's reference players, and whatever else may take a seat. `players.registry` makes them."""
