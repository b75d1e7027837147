"""The second extractor: standard library, defusedxml, openpyxl and pypdfium2 only. Always works; one module per format."""
