"""Search: the exact solver for small boards under the course's rules, and what is built on it."""
