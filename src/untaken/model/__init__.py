"""The words that all stages share: branch, program, expression, input, path. Imports nothing of ours."""
