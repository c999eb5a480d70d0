"""Packages that are loaded when they are first used: importing twofold alone takes a few hundredths of a second."""

import importlib


class _Lazy:
    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value


np = _Lazy("numpy")
sparse = _Lazy("scipy.sparse")


def require(name, what, package=None):
    """The module, or an ImportError that says who needs it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{what} needs {package or name}, which is not installed") from error


def module_of(thing):
    """The package that the class of an object comes from, without loading any."""
    return type(thing).__module__.split(".")[0]
