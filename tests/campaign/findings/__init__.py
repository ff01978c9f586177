"""What goes wrong in a tested program: seen, confirmed, told."""
