"""Decisions without effects: limits, the mark of untrusted data, redaction, the time zone of a person."""
