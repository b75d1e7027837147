"""Run records, the append-only event log of each run, replay and live subscription."""
