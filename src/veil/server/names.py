"""Names of this machine in `Host` headers.

A page of another site can let its own name lead to this machine, and then ask us as if we were its server. The `Host`
header tells by which name we were asked, so only our own names are answered.
"""

from __future__ import annotations

import ipaddress
import re
import socket

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = frozenset({"0.0.0.0", "::", ""})
HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s\[\]:@/]*))(?::\d{1,5})?")


def is_our_name(host: str, listens_at: str) -> bool:
    """Return whether a `Host` header names this machine: by the name that it listens at, or by its own address."""
    name = find_name(host)
    if name is None:
        return False
    if listens_at in LOCAL_NAMES:
        return name in LOCAL_NAMES
    if name in (listens_at, socket.gethostname().lower()) or name in LOCAL_NAMES:
        return True
    return listens_at in ANY_ADDRESS and _is_address(name)  # an address cannot be rebound


def find_name(host: str) -> str | None:
    """Return the name in a `Host` header, without port and brackets; None if the header makes no sense."""
    parts = HOST.fullmatch(host.strip().lower())
    return None if parts is None else parts[1] or parts[2]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
