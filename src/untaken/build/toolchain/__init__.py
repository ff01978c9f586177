"""Front ends and linkers: which there are, what a compiler's command line means, and the commands given to them."""
