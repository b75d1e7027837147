"""Famulus: a self-hosted knowledge agent."""

__version__ = "0.1.0"
