"""`builtin/extractive`: a model without weights. It plans, calls tools and answers with sentences that it found, never with its own.

It sees what every model sees, one `ModelRequest`, and keeps nothing between two calls: where it stands in its plan it reads off the messages.
"""
