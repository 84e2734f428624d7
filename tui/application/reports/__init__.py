"""What the command line prints: one module for each report, each as words for people and as JSON for scripts."""
