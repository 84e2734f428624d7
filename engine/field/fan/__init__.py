"""The field of view of one body over every square, by a fan of rays between two bounds. `overlook` is the door."""
