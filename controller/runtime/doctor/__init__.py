"""What is wrong with this table, and the mend: the checks of `cowboard doctor`."""
