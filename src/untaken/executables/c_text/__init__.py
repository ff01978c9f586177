"""The C of a lifted program: its statements, functions, memories, registers and beginning."""
