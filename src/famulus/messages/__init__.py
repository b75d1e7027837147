"""Pure values that every room may use."""
