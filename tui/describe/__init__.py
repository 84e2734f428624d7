"""Text rendering: side views, close-ups, gauges, styled text."""
