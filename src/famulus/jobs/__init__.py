"""Durable background work: the queue of jobs, and the worker that claims runs and jobs."""
