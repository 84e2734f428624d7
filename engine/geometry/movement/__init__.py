"""Movement: cost and obstacles of a step, paths with waypoints, reach of a budget, falls."""
