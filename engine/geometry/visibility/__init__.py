"""Yes or no: what is seen from a square by plans cut at one height, and the light that lamps give."""
