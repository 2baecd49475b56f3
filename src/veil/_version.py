"""The version of Veil; compiled code on disk depends on it."""

__version__ = "0.3.0"
