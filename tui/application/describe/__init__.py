"""Text rendering: side views, close-ups, gauges, and text laid out in cells."""
