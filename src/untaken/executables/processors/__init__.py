"""One file a processor: its registers, memories, ways to enter and leave a program, and its peculiarities."""
