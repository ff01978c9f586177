"""What an image's instructions do, as p-code, and which of them make up a function."""
