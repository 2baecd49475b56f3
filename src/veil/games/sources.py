"""The sources of the games, in short; the rules files name the texts in full."""

from __future__ import annotations

JAIR = "Schofield & Thielscher, JAIR (2019)"
ITS = "Chitizadeh & Thielscher (2018)"
OOS = "Lisý, Lanctot & Bowling, AAMAS (2015)"
SAMPLING = "Richards & Amir, AAAI (2012)"
