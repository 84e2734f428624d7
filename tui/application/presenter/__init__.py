"""The presenter: the conversation with the Game Master, without a screen. What it shows goes through `display`."""
