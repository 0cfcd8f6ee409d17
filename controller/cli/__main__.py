"""`python -m controller.cli`: the same as the `cowboard` command."""

from controller.cli import main

main()
