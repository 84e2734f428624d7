"""Side panels: pure renderers of the values they are passed."""
