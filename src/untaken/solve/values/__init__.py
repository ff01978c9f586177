"""What expressions come to: for one input or many, for all values of a byte, or within bounds."""
