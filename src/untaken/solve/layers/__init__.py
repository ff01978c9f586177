"""The layers of the solver stack: each answers what it can cheaply, and asks the one below it for the rest."""
