"""`python -m webtools` is the command `webtools`."""

from webtools.cli.app import main

if __name__ == "__main__":
    main()
