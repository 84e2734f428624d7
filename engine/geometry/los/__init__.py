"""Line of sight: one line traced, what it crosses, how much of a body is seen, the sentence that says so."""
