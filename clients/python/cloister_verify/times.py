"""Times in milliseconds since 1970, from texts with fixed digits."""
import re
from datetime import datetime, timedelta, timezone

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_EXACT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


def utc_ms(year: int, month: int, day: int, hour: int, minute: int, second: int) -> int:
    """Raises ValueError for a date that does not exist. Year 0 is not accepted."""
    moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def exact_ms(text: str) -> int:
    """Parses ``2025-06-19T10:16:03Z`` and no other form. Raises ValueError."""
    match = _EXACT.fullmatch(text)
    if match is None:
        raise ValueError("not a time in UTC")
    return utc_ms(*map(int, match.groups()))


def text_of(ms: float) -> str:
    """ISO 8601 for display; the number if it is out of range."""
    try:
        return (_EPOCH + timedelta(milliseconds=ms)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError):
        return f"{ms} ms"
