from veil.wire.client import (
    Address as Address,
    UnreachableError as UnreachableError,
    WireAnswer as WireAnswer,
    ask as ask,
)
from veil.wire.dialects import DIALECTS as DIALECTS, Dialect as Dialect, Told as Told, shout as shout
from veil.wire.expressions import MessageError as MessageError, first_term as first_term
from veil.wire.http import (
    HttpRequest as HttpRequest,
    WireError as WireError,
    read_request as read_request,
    write_reply as write_reply,
)
from veil.wire.messages import (
    AbortMessage as AbortMessage,
    InfoMessage as InfoMessage,
    Message as Message,
    PreviewMessage as PreviewMessage,
    RoundMessage as RoundMessage,
    StartMessage as StartMessage,
    read_message as read_message,
)
from veil.wire.scrambler import Scrambler as Scrambler
