"""Moving: what a step costs and bars, paths with way-points, everywhere that a budget leads, falls."""
