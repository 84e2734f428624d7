"""Sight and shots between many bodies at once, with NumPy. `overlook`, `between` and `moved` are the doors."""
