"""Where the program meets its machine without a screen: printed text, jobs, private files, reports of bugs."""
