"""Veil as a server: `ggp/` speaks the protocol of game controllers, `web/` is the studio in the browser."""
