"""The solvers themselves, and how expressions are said in their terms."""
