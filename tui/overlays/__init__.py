"""Shadings: what may be laid over the ground to answer one question at a glance. One module for each question."""
