"""The Game Master's hand: what is changed, ruled and laid on the table."""
