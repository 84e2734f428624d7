"""What an attack would be, what it is once made, and what follows from it."""
