"""Documents become text with structure: blocks, pages, sections, tables, and exact character offsets.

`ExtractionPool` (pool.py) is the door: it runs the parsers in worker processes that have no network and bounded
memory and time. Nothing in this room touches the store, and no name of a document is ever used as a path.
"""
