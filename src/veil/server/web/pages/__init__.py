"""The pages of the studio: each has `routes(studio)`, a template of its name and a script."""
