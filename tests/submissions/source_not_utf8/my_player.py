# éÿ
class MyPlayer:
    pass
