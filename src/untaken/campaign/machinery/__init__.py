"""What the search works with in a real campaign: the program that is run, the solver that is asked."""
