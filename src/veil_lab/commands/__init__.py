"""Commands of the laboratory: `veil reproduce` and `veil bench`."""
