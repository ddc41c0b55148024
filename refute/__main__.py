"""`python -m refute`."""

from refute.commands.main import main

if __name__ == "__main__":
    main()
