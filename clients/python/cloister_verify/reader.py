"""A bounds-checked reader of consecutive little-endian fields."""
from .errors import malformed


class ByteReader:
    """Reads ``data`` from its start. ``what`` names the input in errors."""

    def __init__(self, data: bytes, what: str):
        self._data = data
        self._what = what
        self.at = 0

    def bytes(self, length: int, field: str) -> bytes:
        end = self.at + length
        if end > len(self._data):
            raise malformed(f"{self._what} ends at byte {len(self._data)}, inside {field} (bytes {self.at} to {end})")
        part = self._data[self.at : end]
        self.at = end
        return part

    def uint16(self, field: str) -> int:
        return int.from_bytes(self.bytes(2, field), "little")

    def uint32(self, field: str) -> int:
        return int.from_bytes(self.bytes(4, field), "little")

    def rest(self) -> bytes:
        return self._data[self.at :]
