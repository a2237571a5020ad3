"""Names every public class, property, method and parameter of the package that has no description."""

import inspect
import re
import sys
from typing import Optional

import cdktn_google_cert_migration as package


def is_complete(text: Optional[str]) -> bool:
    """Returns whether a docstring describes its subject and each parameter."""
    written = (text or "").strip()
    return written != "" and not written.startswith(":param") and not re.search(r":param \w+:(?: -)?$", written, re.M)


missing = []
for name in package.__all__:
    thing = getattr(package, name)
    if not inspect.isclass(thing):
        continue
    # jsii documents a class of props in its constructor.
    if not any(is_complete(text) for text in (thing.__doc__, vars(thing).get("__init__", thing).__doc__)):
        missing.append(name)
    for member, value in vars(thing).items():
        is_public = not member.startswith("_") and (isinstance(value, (property, classmethod)) or callable(value))
        if is_public and not is_complete(inspect.getdoc(getattr(thing, member))):
            missing.append(f"{name}.{member}")
if missing:
    sys.exit("\n".join(missing))
