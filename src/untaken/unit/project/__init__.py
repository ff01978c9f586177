"""All functions of files or of a whole project: which there are, their drivers, their campaigns, their tests."""
