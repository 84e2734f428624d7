"""Maps of other tools: what they hold is carried over as far as it has a place here, and the rest is said."""

from maps.importers.detection import Scale, import_map
from maps.importers.plan import Imported

__all__ = ["Imported", "Scale", "import_map"]
