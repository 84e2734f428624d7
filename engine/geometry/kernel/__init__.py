"""Sight between many bodies, compiled: who sees how much of whom. README.md says where each rule stands."""
