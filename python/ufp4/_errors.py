"""The one exception of the package."""

from __future__ import annotations

from typing import TypedDict


class Diagnostic(TypedDict):
    """What the compiler said of one place: severity is ``error``, ``warning``, ``remark`` or ``note``."""

    severity: str
    location: str | None
    message: str
    notes: list[Diagnostic]


class Error(ValueError):
    """What the compiler or the numerics library refused.

    ``str(error)`` says what was expected, what was found and, where there is one, the way out.
    """

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None):
        super().__init__(message)
        #: Everything that the compiler said, in order.
        self.diagnostics: list[Diagnostic] = diagnostics or []

    @property
    def location(self) -> str | None:
        """``file:line:column`` or the name stack of the first error; None where nothing is known."""
        return next((d["location"] for d in self.diagnostics if d["severity"] == "error"), None)

    @property
    def notes(self) -> list[Diagnostic]:
        """The notes under all errors."""
        return [note for d in self.diagnostics if d["severity"] == "error" for note in d["notes"]]

    @property
    def remarks(self) -> list[Diagnostic]:
        """The remarks that came before the failure."""
        return [d for d in self.diagnostics if d["severity"] == "remark"]
