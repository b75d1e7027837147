"""The network gate: the only place that opens outbound connections."""
