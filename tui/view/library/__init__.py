"""The screens of the library: its list, a new encounter, a party, what a battle has changed."""
