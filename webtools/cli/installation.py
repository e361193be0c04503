"""This installation of webtools: a wheel that has all that pages get, or a checkout where it is made."""

from webtools.cli.checkout import CHECKOUT, Checkout
from webtools.cli.shipped import SHIPPED, Shipped
from webtools.cli.source import Source

__all__ = ["SOURCE"]

SOURCE: Source = Shipped(SHIPPED) if SHIPPED.is_dir() else Checkout(CHECKOUT)
