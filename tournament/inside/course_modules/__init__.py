"""The modules that the course puts beside every Little-Go program, rewritten under the same names: host, read, write.

A program finds them under these names unless its own folder has a file of that name. Each stands alone: it imports nothing
of this project, and nothing of this project imports it.
"""
