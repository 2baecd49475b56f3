"""Information sets as constraint satisfaction (Richards & Amir 2012, figures 5 and 6)."""
