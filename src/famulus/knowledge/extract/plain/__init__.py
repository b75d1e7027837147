"""The second extractor: standard library, defusedxml, lxml and pypdfium2 only. Always works; one module per format."""
