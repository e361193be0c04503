"""Where what pages get comes from: `source.py` is the port of a checkout and of an installed wheel."""
