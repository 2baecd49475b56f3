"""Where the games come from: the texts that several families name."""

from __future__ import annotations

JAIR = "Schofield & Thielscher, General Game Playing with Imperfect Information, JAIR 66 (2019)"
ITS = "Chitizadeh & Thielscher, Iterative Tree Search in General Game Playing with Incomplete Information (2018)"
OOS = "Lisý, Lanctot & Bowling, Online Monte Carlo Counterfactual Regret Minimization, AAMAS (2015)"
SAMPLING = "Richards & Amir, Information Set Generation in Partially Observable Games, AAAI (2012)"
