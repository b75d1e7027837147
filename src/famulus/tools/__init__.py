"""Registry, schemas, the gate and the built-in tools."""
