"""Parts of the soak (benchmarks/soak.py): each does harm of one kind, again and again, and says what came of it."""
