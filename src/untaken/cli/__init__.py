"""What users type. The last stage: it may know all the others, and none of them knows it."""
