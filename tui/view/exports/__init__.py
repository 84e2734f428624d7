"""The exports that draw the board: pictures, a web page, a recording."""
