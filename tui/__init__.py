"""The program: its application, its view, and the command line above both."""
