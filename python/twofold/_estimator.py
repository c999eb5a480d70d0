"""What makes a class an estimator of scikit-learn, without scikit-learn: parameters by name, made from the table."""

_SHARED = {
    "validation": (0.1, "share of the training graphs held out to stop early by; 0: none"),
    "seed": (1, "everything random in training follows from it"),
    "split_seed": (1, "the held-out graphs follow from it"),
    "threads": (0, "how many; 0: all there are. Changes no result"),
    "max_memory": (0, "in bytes; 0: nine tenths of the machine's"),
    "progress": (None, "a function of one dict per epoch, True for a bar (tqdm where installed), or None"),
}


class NotFittedError(ValueError, AttributeError):
    """Asked before it was fitted."""


def _not_fitted(name):
    message = f"This {name} is not fitted: call fit first"
    import sys
    known = sys.modules.get("sklearn.exceptions")
    return known.NotFittedError(message) if known is not None else NotFittedError(message)


class Estimator:
    """Parameters by name, as scikit-learn's clone, searches and pipelines want them."""

    _parameters = ()

    def get_params(self, deep=True):
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._parameters}

    def set_params(self, **params):
        """Sets parameters by name."""
        for name, value in params.items():
            if name not in self._parameters:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                                 f"{list(self._parameters)!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self):
        defaults = dict(zip(self._parameters, self._defaults))
        given = [f"{name}={getattr(self, name)!r}" for name in self._parameters
                 if not _is_same(getattr(self, name), defaults[name])]
        return f"{type(self).__name__}({', '.join(given)})"

    def _check_fitted(self, attribute):
        if getattr(self, attribute, None) is None:
            raise _not_fitted(type(self).__name__)

    def _more_tags(self):
        return {"X_types": ["graphs"], "requires_fit": True, "no_validation": True}

    def _get_tags(self):
        from sklearn.utils._tags import _DEFAULT_TAGS
        return {**_DEFAULT_TAGS, **self._more_tags()}

    def __sklearn_tags__(self):  # scikit-learn 1.6 and later
        from sklearn.utils import Tags, TargetTags
        kind = getattr(self, "_estimator_type", None)
        tags = Tags(estimator_type=kind, target_tags=TargetTags(required=False))
        if kind == "classifier":
            from sklearn.utils import ClassifierTags
            tags.classifier_tags = ClassifierTags()
        elif kind == "regressor":
            from sklearn.utils import RegressorTags
            tags.regressor_tags = RegressorTags()
        else:
            from sklearn.utils import TransformerTags
            tags.transformer_tags = TransformerTags()
        tags.no_validation = True
        return tags


def _is_same(value, default):
    try:
        return type(value) is type(default) and bool(value == default)
    except ValueError:
        return False


def make_class(name, base, options, shared, summary, example, positional, namespace):
    """A class whose __init__ has a keyword per option; `options` are rows of the table, `shared` names of _SHARED."""
    names = [row["keyword"] for row in options] + list(shared)
    defaults = [row["default"] for row in options] + [_SHARED[key][0] for key in shared]
    signature = ", ".join(f"{key}={default!r}" for key, default in zip(names, defaults))
    star = "" if positional else "*, "
    body = "".join(f"\n    self.{key} = {key}" for key in names)
    scope = {}
    exec(f"def __init__(self, {star}{signature}):{body}\n", scope)  # as dataclasses do: inspect sees true signatures
    lines = [summary, "", "Parameters:"]
    lines += [f"  {row['keyword']}: {row['allowed']}  [{row['default']!r}]\n      {row['meaning']}" for row in options]
    lines += [f"  {key}: [{_SHARED[key][0]!r}] {_SHARED[key][1]}" for key in shared]
    lines += ["", *example]
    members = {"__init__": scope["__init__"], "__doc__": "\n".join(lines), "__module__": "twofold",
               "_parameters": tuple(names), "_defaults": tuple(defaults),
               "_options": tuple(row["keyword"] for row in options), **namespace}
    scope["__init__"].__qualname__ = f"{name}.__init__"
    scope["__init__"].__module__ = "twofold"
    return type(name, (base,), members)
