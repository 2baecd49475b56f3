"""Words on the command line -> calls of the rooms below. One module per command."""
