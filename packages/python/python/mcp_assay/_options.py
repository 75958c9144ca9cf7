"""The options that all entry points share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypedDict

Direction = Literal["c2s", "s2c"]
Mode = Literal["shadow", "enforce"]
Strict = Literal[False, True, "must", "should"]


class Options(TypedDict, total=False):
    """The revision in force, and the selection of rules."""

    revision: str | None
    strict: Strict
    select: str | Iterable[str]
    ignore: str | Iterable[str]
    profile: str | os.PathLike[str] | None


def normalised(
    options: Options, *, reserialised: bool = False, transport: str | None = None
) -> dict[str, Any]:
    """The options as the extension takes them: all of them, each of one type."""
    unknown = set(options) - Options.__annotations__.keys()
    if unknown:
        raise TypeError(f"unknown option {sorted(unknown)[0]!r}")
    profile, revision = options.get("profile"), options.get("revision")
    return {
        "revision": None if revision == "auto" else revision,
        "strict": raises_warnings(options.get("strict", False)),
        "select": names(options.get("select", ())),
        "ignore": names(options.get("ignore", ())),
        "profile": None if profile is None else os.fspath(profile),
        "reserialised": reserialised,
        "transport": transport,
    }


def raises_warnings(strict: Strict | str) -> bool:
    """Whether warnings count as errors: by `True` or "should"; not by `False` or "must"."""
    if strict not in (False, True, "must", "should"):
        raise ValueError('strict is a bool, "must" or "should"')
    return strict in (True, "should")


def names(given: str | Iterable[str]) -> Sequence[str]:
    """Names of rules, families, layers or levels: a sequence, or a text with commas."""
    if isinstance(given, str):
        return [name.strip() for name in given.split(",") if name.strip()]
    return list(given)
