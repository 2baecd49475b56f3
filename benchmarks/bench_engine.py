"""Playouts per second of the engine beside OpenSpiel, as JSON; the same as `veil bench engine --json`."""

from veil.cli.main import main

main(["bench", "engine", "--json"])
