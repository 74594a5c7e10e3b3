"""From bytes to text. Pure."""

from __future__ import annotations

import codecs

from graphmem.transcripts.drafts import Report

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes, where: str, report: Report) -> str:
    """The text of a file: in the encoding that its byte order mark tells, else in UTF-16 if it looks so, else UTF-8. Line ends become
    ``\\n``.

    Bytes that are wrong in that encoding become U+FFFD and are reported with the line of the first.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None) or _unmarked(data[:2048])
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as exc:
        text = data.decode(encoding, "replace")
        line = data[: exc.start].decode(encoding, "replace").count("\n") + 1
        report(
            f"{where}:{line}",
            f"the file is not all {encoding.upper().removesuffix('-SIG')} (byte 0x{data[exc.start]:02x} here is the first that is not); "
            "such bytes are read as U+FFFD. Save it as UTF-8 to keep them",
        )
    text = text.replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")


def _unmarked(start: bytes) -> str:
    """UTF-16 shows by the NUL that is half of each ASCII character, in a file that begins with a few of them."""
    low, high = start[0::2].count(0), start[1::2].count(0)
    if high > len(start) // 5 and low == 0:
        return "utf-16-le"
    return "utf-16-be" if low > len(start) // 5 and high == 0 else "utf-8"
