"""What opens over a screen: menus, lists and texts."""
