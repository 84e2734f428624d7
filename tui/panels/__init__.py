"""The side panels: each shows one thing from values it is given, and asks nothing."""
