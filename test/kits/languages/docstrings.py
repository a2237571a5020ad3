"""Names every public class, property, method and parameter of the package that has no description."""

import inspect
import re
import sys
from typing import Optional

import cdktn_google_cert_migration as package


def is_described(text: Optional[str]) -> bool:
    """Returns whether a docstring describes its subject."""
    written = (text or "").strip()
    return written != "" and not written.startswith(":param")


def has_all_parameters(text: Optional[str]) -> bool:
    """Returns whether a docstring describes each parameter that it names."""
    return not re.search(r":param \w+:(?: -)?$", text or "", re.M)


missing = []
for name in package.__all__:
    thing = getattr(package, name)
    if not inspect.isclass(thing):
        continue
    # jsii documents a class of props in its constructor, and any other class in both.
    texts = [text for text in (thing.__doc__, vars(thing).get("__init__", thing).__doc__) if text]
    if not any(is_described(text) for text in texts) or not all(map(has_all_parameters, texts)):
        missing.append(name)
    if any(re.search(r"\{@link|^Example::$", text, re.M) for text in texts):
        missing.append(f"{name}: a link or an example in TypeScript")
    for member, value in vars(thing).items():
        is_public = not member.startswith("_") and (isinstance(value, (property, classmethod)) or callable(value))
        text = inspect.getdoc(getattr(thing, member))
        if is_public and not (is_described(text) and has_all_parameters(text)):
            missing.append(f"{name}.{member}")
if missing:
    sys.exit("\n".join(missing))
