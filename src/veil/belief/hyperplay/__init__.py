"""HyperPlay: a bag of models that correct themselves (section 3 of the article)."""
