"""The library: the Game Master's battles, maps and rulesets on disk, and the screen that lists them."""
