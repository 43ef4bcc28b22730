"""The firmware's event log (CCEL, TCG's crypto-agile format) and the server's start log, and their replay to registers."""
import hashlib
import json
import re
from typing import Any, NamedTuple, Optional, Sequence

from .errors import malformed, refused
from .jsons import is_well_formed, units
from .reader import ByteReader

EVENT_LOG_BYTES_MAX = 4 * 1024 * 1024
START_CONTENT_MAX = 256 * 1024
_EVENTS_MAX, _START_EVENTS_MAX, _ALGORITHMS_MAX = 16 * 1024, 1024, 16
_SHA384, _NO_ACTION, _END = 0x000C, 3, 0xFFFFFFFF
_COMPOSITION = "compose-hash"
# Events that a log may have once, anywhere before its last event.
_OPTIONAL = (_COMPOSITION, "cloister.provision")
_DSTACK_EVENT, _EVENT_TAG = 0x08000001, 6
_NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:[.-][a-z0-9]+)*")
#: Cloister's events in the order in which they are measured
_ORDER = [f"cloister.{name}" for name in ("gpu", "build", "libraries", "configuration", "model", "agents", "host", "ready")]


class BootEvent(NamedTuple):
    #: 0 for MRTD, 1 to 4 for RTMR0 to RTMR3
    register: int
    type: int
    digest: bytes


class StartEvent(NamedTuple):
    name: str
    content: str


def parse_boot_log(data: bytes) -> list[BootEvent]:
    """The events of a log area. Only filler of 0xff or 0x00 may follow its end mark."""
    if len(data) > EVENT_LOG_BYTES_MAX:
        raise malformed(f"the event log has {len(data)} bytes, at most {EVENT_LOG_BYTES_MAX} are read")
    reader = ByteReader(data, "event log")
    digest_bytes = _parse_header(reader)
    events: list[BootEvent] = []
    while reader.at < len(data):
        register = reader.uint32("register index")
        if register == _END:
            rest = reader.rest()
            if rest and (rest[0] not in (0, 0xFF) or rest.count(rest[0]) != len(rest)):
                raise malformed("the event log has bytes after its end marker")
            return events
        if len(events) == _EVENTS_MAX:
            raise malformed(f"the event log has over {_EVENTS_MAX} events")
        events.append(_parse_event(reader, register, digest_bytes))
    return events


def _parse_header(reader: ByteReader) -> dict[int, int]:
    reader.uint32("register index of the header")
    if reader.uint32("type of the header") != _NO_ACTION:
        raise malformed("the event log does not begin with a header")
    reader.bytes(20, "digest of the header")
    header = ByteReader(reader.bytes(reader.uint32("length of the header"), "header"), "header of the event log")
    if header.bytes(16, "signature") != b"Spec ID Event03\0":
        raise malformed('the event log does not begin with "Spec ID Event03"')
    header.bytes(8, "platform class and version")
    count = header.uint32("number of algorithms")
    if count > _ALGORITHMS_MAX:
        raise malformed(f"the event log names {count} digest algorithms, at most {_ALGORITHMS_MAX} are read")
    digest_bytes: dict[int, int] = {}
    for _ in range(count):
        algorithm = header.uint16("algorithm")
        if algorithm in digest_bytes:
            raise malformed(f"the event log names algorithm {algorithm} twice")
        digest_bytes[algorithm] = header.uint16("digest length")
    if digest_bytes.get(_SHA384) != 48:
        raise malformed("the event log has no SHA-384 digests of 48 bytes")
    header.bytes(header.bytes(1, "length of the vendor information")[0], "vendor information")
    if header.rest():
        raise malformed("the event log has bytes after its vendor information")
    return digest_bytes


def _parse_event(reader: ByteReader, register: int, digest_bytes: dict[int, int]) -> BootEvent:
    if register > 4:
        raise malformed(f"the event log has an event for register {register}, the last one is 4")
    kind, count = reader.uint32("event type"), reader.uint32("number of digests")
    if count > len(digest_bytes):
        raise malformed(f"the event log has an event with {count} digests, {len(digest_bytes)} are declared")
    digest: Optional[bytes] = None
    for _ in range(count):
        algorithm = reader.uint16("algorithm")
        if algorithm not in digest_bytes:
            raise malformed(f"the event log has a digest of the undeclared algorithm {algorithm}")
        value = reader.bytes(digest_bytes[algorithm], "digest")
        if algorithm == _SHA384:
            if digest is not None:
                raise malformed("the event log has an event with two SHA-384 digests")
            digest = value
    if digest is None:
        raise malformed("the event log has an event without a SHA-384 digest")
    reader.bytes(reader.uint32("event length"), "event data")
    return BootEvent(register, kind, digest)


def replay(events: Sequence[BootEvent]) -> list[bytes]:
    """RTMR0 to RTMR3: each starts as zeros and becomes SHA-384(register ‖ digest) with each of its events."""
    rtmrs = [bytes(48)] * 4
    for register, kind, digest in events:
        if register != 0 and kind != _NO_ACTION:
            rtmrs[register - 1] = hashlib.sha384(rtmrs[register - 1] + digest).digest()
    return rtmrs


def check_start_events(value: Any) -> list[StartEvent]:
    """The events of a parsed start log."""
    if not isinstance(value, list):
        raise malformed("the start log must have a list of events")
    if len(value) > _START_EVENTS_MAX:
        raise malformed(f"the start log has {len(value)} events, at most {_START_EVENTS_MAX}")
    return [_check_start_event(one) for one in value]


def _check_start_event(value: Any) -> StartEvent:
    members = value if isinstance(value, dict) else {}
    name, content = members.get("name"), members.get("content")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise malformed("the start log has an event without a valid name")
    if not isinstance(content, str):
        raise malformed(f"the start log has an event {name} without content")
    if units(content) > START_CONTENT_MAX:
        raise malformed(f"the start log has an event {name} that is too long")
    if not is_well_formed(content):
        raise malformed(f"the start log has an event {name} with an unpaired surrogate")
    if len(members) > 2:
        raise malformed(f"the start log has an event {name} with an unknown member")
    return StartEvent(name, content)


def _digest(event: StartEvent) -> bytes:
    content = event.content.encode()
    if event.name == _COMPOSITION:
        prefix = _DSTACK_EVENT.to_bytes(4, "little") + f":{_COMPOSITION}:".encode()
        return hashlib.sha384(prefix + hashlib.sha256(content).digest()).digest()
    return hashlib.sha384(f"cloister.start-log.v1\n{event.name}\n".encode() + content).digest()


def replay_start_log(events: Sequence[StartEvent]) -> bytes:
    """RTMR3 after exactly these events."""
    return replay([BootEvent(4, 0, _digest(event)) for event in events])[3]


def composition_of(events: Sequence[StartEvent]) -> Optional[str]:
    """The last text that names program and weights; None if it was not measured."""
    return next((content for name, content in reversed(events) if name == _COMPOSITION), None)


def format_event_log(events: Sequence[StartEvent]) -> str:
    """The start log in the form of ACI's dstack policy."""
    rows = [
        {
            "imr": 3,
            "event_type": _DSTACK_EVENT if event.name == _COMPOSITION else _EVENT_TAG,
            "digest": _digest(event).hex(),
            "event": event.name,
            "event_payload": hashlib.sha256(event.content.encode()).hexdigest() if event.name == _COMPOSITION else "",
        }
        for event in events
    ]
    return json.dumps(rows, separators=(",", ":"))


def require_complete_start(events: Sequence[StartEvent]) -> None:
    """Refuses a log unless it has the events of a start in order, then complete groups of models that were loaded later."""
    names = [event.name for event in events]
    end = names.index("cloister.ready") + 1 if "cloister.ready" in names else len(names)
    _require_start(names[:end])
    _require_loads(names[end:])


def _require_start(names: Sequence[str]) -> None:
    for optional in _OPTIONAL:
        if names.count(optional) > 1:
            raise _incomplete(f"{optional} occurs more than once")
        if names and names[-1] == optional:
            raise _incomplete(f"{optional} comes last")
    last = 0
    for name in names:
        # Logs of older servers have the GPU event after the agents.
        if name in _OPTIONAL or (name == "cloister.gpu" and _ORDER[last] == "cloister.agents"):
            continue
        if name not in _ORDER:
            raise _incomplete(f"{name} is not one of Cloister's events")
        place = _ORDER.index(name)
        if place < last:
            raise _incomplete(f"{name} comes after {_ORDER[last]}")
        last = place
    for name in _ORDER:
        if name != "cloister.model" and names.count(name) != 1:
            raise _incomplete(f"{name} is there {names.count(name)} times")
    if "cloister.model" not in names:
        raise _incomplete("no model was measured")


# What may follow each event after the start.
_AFTER = {
    "cloister.ready": ("cloister.model",),
    "cloister.model": ("cloister.libraries", _COMPOSITION),
    "cloister.libraries": (_COMPOSITION,),
    _COMPOSITION: ("cloister.model",),
}


def _require_loads(names: Sequence[str]) -> None:
    last = "cloister.ready"
    for name in names:
        if name not in _AFTER[last]:
            raise _incomplete(f"{name} comes after {last}")
        last = name
    if last in ("cloister.model", "cloister.libraries"):
        raise _incomplete(f"no {_COMPOSITION} follows the last {last}")


def _incomplete(reason: str) -> Exception:
    return refused(f"the start log is not that of a complete start: {reason}")
