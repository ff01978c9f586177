"""A program of its own, started once a session: puts the fork server into its sandbox and watches over it."""
