"""Speed and memory, side by side with public peers in one run: `uv run --group bench python -m benchmarks`."""
