"""The board: a view of a battle and an overlay, drawn in terminal cells, and the widget that shows them."""
