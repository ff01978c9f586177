"""MC/DC as the tests of a campaign show it."""
