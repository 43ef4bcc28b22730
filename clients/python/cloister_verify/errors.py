"""The error of every check: its message is the finding."""


class AttestationError(Exception):
    """Evidence, collateral or a policy is malformed, or a check fails. The text never quotes more than a name of the input."""

    def __init__(self, message: str, kind: str = "malformed"):
        super().__init__(message)
        #: ``malformed``, ``refused``, ``policy`` or ``unavailable``
        self.kind = kind


def malformed(message: str) -> AttestationError:
    """Input that does not have its format."""
    return AttestationError(message)


def refused(message: str) -> AttestationError:
    """Well-formed evidence that fails a check."""
    return AttestationError(message, "refused")
