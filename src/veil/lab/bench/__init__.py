"""Our own measurements, beside other people's programs where they are installed."""
