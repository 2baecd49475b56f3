"""The process that serves the studio: application, security, sessions, workers."""
