"""Object files, archives and linked programs: their sections and symbols, and what of ours is kept in them."""
