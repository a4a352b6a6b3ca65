class MyPlayer:
    def get_input(self, go, piece_type):
        print "thinking"
