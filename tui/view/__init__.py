"""The Textual app: what is drawn, and which key or click asks the application for what."""
