import socket
socket.socket(socket.AF_UNIX).bind("output.txt")
