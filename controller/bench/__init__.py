"""The project's figures: each with its target, its value measured here, and a named baseline of the same run."""
