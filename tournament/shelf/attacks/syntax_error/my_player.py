class MyPlayer
    pass
