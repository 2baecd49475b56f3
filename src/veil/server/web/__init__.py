"""The studio: rules, boards, matches and analysis in the browser."""
