"""Indexes over chunks: by words and by vectors, with the scope inside every query."""
