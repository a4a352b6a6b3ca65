print("I had rather not")
