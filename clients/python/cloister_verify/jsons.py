"""JSON as ECMAScript reads it: strict for documents of servers and policies, lenient for Intel's, and canonical (RFC 8785)."""
import base64
import json
import math
import re
from typing import Any, Iterator, Optional, Sequence, Union

from .errors import malformed

SAFE_INTEGER_MAX = 2**53 - 1
_DEPTH_MAX = 32


def units(text: str) -> int:
    """The length of a text in UTF-16 code units, in which all limits count."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def is_well_formed(text: str) -> bool:
    """Whether a text has no unpaired surrogate."""
    return not any(0xD800 <= ord(character) <= 0xDFFF for character in text)


def _number(token: str) -> Union[int, float]:
    value = float(token)
    if value.is_integer() and abs(value) <= SAFE_INTEGER_MAX:
        return int(value)
    return value


def _no_constant(_token: str) -> Any:
    raise ValueError("not JSON")


def loads(text: str) -> Any:
    """``JSON.parse``: numbers are doubles, the last of two equal members counts. Raises ValueError; RecursionError if too deep."""
    return json.loads(text, parse_int=_number, parse_float=_number, parse_constant=_no_constant)


def number_text(value: Union[int, float]) -> str:
    """A number as ECMAScript writes it (RFC 8785 §3.2.2.3)."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("canonical JSON cannot represent NaN or an infinite number")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return sign + digits[0] + (f".{digits[1:]}" if count > 1 else "") + power


def canonical(value: Any) -> bytes:
    """The canonical form in UTF-8. Raises ValueError for an unpaired surrogate."""
    return _canonical(value).encode("utf-8")


def _canonical(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{_canonical(name)}:{_canonical(value[name])}" for name in names) + "}"


def parse_strict(source: Union[str, bytes], what: str, characters_max: int) -> Any:
    """Refuses duplicate members, integers that parsers read differently, deep nesting and texts above the limit."""
    length = len(source) if isinstance(source, bytes) else units(source)
    if length > characters_max:
        raise malformed(f"{what} must be of at most {characters_max} characters")
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
        value = loads(text)
    except (ValueError, RecursionError):
        raise malformed(f"{what} must be JSON in UTF-8") from None
    _refuse_ambiguity(text, what)
    return value


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


def _refuse_ambiguity(text: str, what: str) -> None:
    """Iterates over the tokens of valid JSON."""
    open_objects: list[Optional[set[str]]] = []
    previous = ""
    for token in _tokens(text):
        if token in "{[":
            open_objects.append(set() if token == "{" else None)
            if len(open_objects) > _DEPTH_MAX:
                raise malformed(f"{what} must be at most {_DEPTH_MAX} levels deep")
        elif token in "}]":
            open_objects.pop()
        elif token == ":":
            seen = open_objects[-1]
            if seen is not None:
                name = json.loads(previous)
                if name in seen:
                    raise malformed(f"{what} must be free of duplicate members")
                seen.add(name)
        elif token[0] in "-0123456789" and not _has_one_value(token):
            raise malformed(f"{what} must be free of integers beyond the safe range")
        previous = token


def _tokens(text: str) -> Iterator[str]:
    return (match.group() for match in _TOKEN.finditer(text))


def _has_one_value(token: str) -> bool:
    value = float(token)
    if not math.isfinite(value):
        return False
    if not re.fullmatch(r"-?[0-9]+", token):
        return True
    return abs(value) <= SAFE_INTEGER_MAX or number_text(value) == token


def object_of(value: Any, what: str, required: Sequence[str], optional: Sequence[str] = ()) -> dict:
    """An object with these members and no others."""
    members = any_object_of(value, what)
    if any(name not in required and name not in optional for name in members):
        raise malformed(f"{what} has an unknown member")
    for name in required:
        if name not in members:
            raise malformed(f'{what} lacks its member "{name}"')
    return members


def any_object_of(value: Any, what: str) -> dict:
    if not isinstance(value, dict):
        raise malformed(f"{what} must be an object")
    return value


def list_of(value: Any, what: str, count_max: int) -> list:
    if not isinstance(value, list) or len(value) > count_max:
        raise malformed(f"{what} must be a list of at most {count_max}")
    return value


def text_of(value: Any, what: str, characters_max: int = 1024) -> str:
    if not isinstance(value, str) or units(value) > characters_max:
        raise malformed(f"{what} must be a text of at most {characters_max} characters")
    return value


def nullable_text_of(value: Any, what: str) -> Optional[str]:
    return None if value is None else text_of(value, what)


def flag_of(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise malformed(f"{what} must be true or false")
    return value


def is_integer(value: Any) -> bool:
    """Whether a JSON value is an integral number. A bool is not a number."""
    return not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def count_of(value: Any, what: str) -> int:
    if not is_integer(value) or not 0 <= value <= SAFE_INTEGER_MAX:
        raise malformed(f"{what} must be a whole number")
    return int(value)


def hex_of(value: Any, what: str, length: int) -> str:
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", value):
        raise malformed(f"{what} must be {2 * length} lowercase hexadecimal digits")
    return value


def digest_of(value: Any, what: str) -> str:
    if not isinstance(value, str) or not re.fullmatch("sha256:[0-9a-f]{64}", value):
        raise malformed(f'{what} must be "sha256:" and 64 lowercase hexadecimal digits')
    return value


def base64_of(value: Any, what: str, bytes_max: int) -> bytes:
    text = text_of(value, what, -(-bytes_max // 3) * 4)
    return decode_base64(text, what)


def decode_base64(text: str, what: str) -> bytes:
    """Standard base64 with padding."""
    if not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text) or len(text) % 4 != 0:
        raise malformed(f"{what} is not base64")
    return base64.b64decode(text)


def from_hex(text: str) -> Optional[bytes]:
    """None unless the text consists of pairs of hexadecimal digits, of either case."""
    if len(text) % 2 != 0 or not re.fullmatch("[0-9a-fA-F]*", text):
        return None
    return bytes.fromhex(text)


