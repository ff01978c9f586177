"""Coverage of a campaign's tests as other tools count it: measured by gcov on a plain build, then written down."""
