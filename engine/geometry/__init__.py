"""Squares, edges, battlefields, sight and movement: geometry that knows no rules."""
