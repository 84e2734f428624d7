"""Loading and checking rulesets, and one folder of TOML for each system."""

from rulesets.loader import load_ruleset, parse_ruleset
from rulesets.problems import Unreadables
from rulesets.ruleset_folders import find_ruleset, shipped_rulesets

DEFAULT = "occult-ops"
"""Id of the ruleset for a battle that names none."""

__all__ = ["DEFAULT", "Unreadables", "find_ruleset", "load_ruleset", "parse_ruleset", "shipped_rulesets"]
