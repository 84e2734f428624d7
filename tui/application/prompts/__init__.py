"""What is asked: the items of a menu, and lines with the help for them."""
