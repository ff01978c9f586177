"""One campaign with many workers: each runs the program, the owner keeps the one folder and spreads the news."""
