"""Line of sight: one traced line, what it crosses, the visible share of a body, the sentence about it."""
