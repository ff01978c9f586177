"""What Python programs use: `import untaken` offers it. docs/reference/api.md says what is promised about it."""
