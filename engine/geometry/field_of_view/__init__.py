"""The field of view of one body over every square, by a fan of rays between two bounds. `all_squares` is the door."""
