"""The library: the Game Master's battles, maps, rulesets and characters on disk, and the presenter of their list."""
