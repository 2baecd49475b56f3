"""The article whose experiments the modules `hyperplay_*` run again."""

ARTICLE = "Schofield & Thielscher, General Game Playing with Imperfect Information, JAIR 66 (2019)"
