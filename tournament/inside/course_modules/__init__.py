"""What the course puts beside every Little-Go program: host.py, read.py, write.py, written anew under the same names.

A program finds them by these names when its own folder has no file that is called so. Each stands alone: nothing of this
package is imported by them, and nothing here imports them.
"""
