"""This installation of webtools: a wheel that has all that pages get, or a checkout where it is made."""

from webtools.cli.sources.checkout import CHECKOUT, Checkout
from webtools.cli.sources.shipped import SHIPPED, Shipped
from webtools.cli.sources.source import Source

__all__ = ["SOURCE"]

SOURCE: Source = Shipped(SHIPPED) if SHIPPED.is_dir() else Checkout(CHECKOUT)
