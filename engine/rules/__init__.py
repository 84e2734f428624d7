"""The ruleset model: facts, expressions, ledger, tests, odds, effects. It knows no battle history."""
