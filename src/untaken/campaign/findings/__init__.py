"""What goes wrong while exploring: seen, confirmed on the plain program, told apart from what the program refuses."""
