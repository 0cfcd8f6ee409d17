"""The link itself, without a port: bytes in, events out; messages in, bytes out. The same class on both
sides.

Rules of this file: no clock, thread, port or log; time is an argument in monotonic seconds. No byte stream
can make `receive` raise. Whoever holds a connection calls, whenever bytes came or `deadline()` has passed,
`receive(data, at)`, deals with the events, and then writes `data_to_send(at)`.

How it works:

    host                                              board
    GREETING ── hello_request session=S ──────────►   ALONE
       ▲     ◄───────────── hello session=S boot=B ──   │ both sides' sequence numbers begin at 0
       │                                                ▼
    READY    ── snapshot_request #0 ──────────────►   READY
       │     ◄──────────────────────────── ack #0 ──
       │     ◄── snapshot #0 ── ack #0 ►, events #1 …
       │
       └─ lost: silent, rebooted (a hello with another boot number, or "no session"), broken (a gap) →
       GREETING, S+1

Everything before the hello that answers the newest session is ignored by the host, so nothing of an older
session can be taken for the new one: the channel may lose and damage bytes, but doesn't reorder them. A
version whose major differs is REFUSED: nothing but hellos is exchanged until the board answers with ours.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.delivery import Inbox, Outbox, Timing, Verdict
from firmware_bridge.errors import BadMessageError, LocalProtocolError, UnknownMessageError
from firmware_bridge.link_events import (
    ChangesMissed,
    LinkEvent,
    LinkPhase,
    LinkStats,
    Loss,
    MessageReceived,
    MessageRefused,
    MessageTaken,
    PeerArrived,
    PeerLost,
    PeerRefused,
    Role,
)
from firmware_bridge.messages import (
    MAJOR,
    MINOR,
    Ack,
    CellsChanged,
    Hello,
    HelloRequest,
    Message,
    Nack,
    Ping,
    Refusal,
    Sender,
    Snapshot,
    SnapshotRequest,
    decode_payload,
    encode_payload,
    row_numbered,
    row_of,
)
from firmware_bridge.packets import DELIMITER, Packet, PacketBuffer, encode_packet

EVENT_NUMBERS = 65536
SESSIONS = 65536
NOISY = 0.3
NOISE_MEMORY = 8  # packets
PATIENCE = 4  # a message not taken for four times the silence limit, though the peer talks: the link is broken


class Connection:
    """One side of the link.

    Args:
        role: which side. A board must bring its `hello`; session and version in it are filled in here.
        session: the host's first session number (1..65535); choose it differently after each start of the
        host.
    """

    def __init__(
        self, role: Role, *, hello: Hello | None = None, session: int = 1, timing: Timing | None = None
    ) -> None:
        if (role is Role.BOARD) != (hello is not None):
            raise LocalProtocolError("a board says hello and a host doesn't: give `hello` with Role.BOARD only")
        self.role = role
        self.phase = LinkPhase.GREETING
        self.peer: Hello | None = None
        self._own_hello = hello
        self._timing = timing or Timing()
        self._buffer = PacketBuffer()
        self._outbox = Outbox(self._timing)
        self._inbox = Inbox()
        self._session = session % SESSIONS or 1
        self._session_count = 0
        self._control = bytearray()
        self._noise = 0.0  # share 0..1 of damaged packets among the last
        self._heard_at = 0.0
        self._sent_at = 0.0
        self._greet_at = 0.0
        self._greet_pause_s = self._timing.greet_first_s
        self._next_event: int | None = None
        if hello is not None:
            self._say_hello(session=0)

    # --- what the holder calls ---

    def receive(self, data: bytes, at: float) -> tuple[LinkEvent, ...]:
        """Take bytes (maybe none) and the time; the events in order. Never raises on any bytes."""
        events: list[LinkEvent] = []
        dropped_before = self._buffer.counts.dropped
        packets = self._buffer.receive(data)
        self._listen(len(packets), self._buffer.counts.dropped - dropped_before, at)
        for packet in packets:
            self._take_packet(packet, at, events)
        self._notice_silence(at, events)
        return tuple(events)

    def send(self, message: Message, at: float) -> None:
        """Queue a message for delivery in this session.

        Raises:
            LocalProtocolError: no session, not ours to send, a value that doesn't fit, or no `room` left.
        """
        row = row_of(type(message))
        if self.phase is not LinkPhase.READY:
            raise LocalProtocolError(f"{row.name} sent before the hello; wait for PeerArrived")
        if not row.is_reliable or row.sender not in (Sender.BOTH, Sender(self.role.value)):
            raise LocalProtocolError(f"{row.name} is not the {self.role.value}'s to send")
        self._outbox.push(message, at)

    def data_to_send(self, at: float) -> bytes:
        """The bytes to write now, maybe none; they count as written."""
        if self.role is Role.HOST:
            self._greet(at)
            self._ping(at)
        data = bytes(self._control)
        self._control.clear()
        if self.phase is LinkPhase.READY:
            data += self._outbox.packet_due(at)
        if data:
            self._sent_at = at
        return data

    def deadline(self) -> float | None:
        """When to call again even if no bytes come; a time long past means now."""
        if self._control:
            return 0.0
        if self.phase is not LinkPhase.READY:
            return self._greet_at if self.role is Role.HOST else None
        times = [self._silent_at(), self._outbox.deadline()]
        if self.role is Role.HOST and self._outbox.is_idle:
            times.append(self._ping_at())
        return min((time for time in times if time is not None), default=None)

    @property
    def room(self) -> int:
        """How many messages `send` takes now; 0 without a session."""
        return self._outbox.room if self.phase is LinkPhase.READY else 0

    @property
    def is_idle(self) -> bool:
        """Whether a session is there and nothing waits for acknowledgement."""
        return self.phase is LinkPhase.READY and self._outbox.is_idle

    @property
    def is_noisy(self) -> bool:
        """Whether so many packets came in damaged lately that short ones get through better."""
        return self._noise > NOISY

    @property
    def stats(self) -> LinkStats:
        """Counts and latencies for health and doctor."""
        counts = self._buffer.counts
        return LinkStats(
            packets_received=counts.good,
            packets_dropped=counts.dropped,
            resends=self._outbox.resend_count,
            duplicates=self._inbox.duplicate_count,
            sessions=self._session_count,
            latency_p50_s=self._outbox.round_trip.percentile_s(0.5),
            latency_p95_s=self._outbox.round_trip.percentile_s(0.95),
        )

    # --- packets coming in ---

    def _listen(self, good_count: int, dropped_count: int, at: float) -> None:
        """A damaged packet is a sign of life too; a line that is nothing but noise ends by `PATIENCE`."""
        if good_count or dropped_count:
            self._heard_at = at
            share = dropped_count / (good_count + dropped_count)
            self._noise += (share - self._noise) * min(1.0, (good_count + dropped_count) / NOISE_MEMORY)

    def _take_packet(self, packet: Packet, at: float, events: list[LinkEvent]) -> None:
        try:
            message = decode_payload(packet.number, packet.payload)
        except UnknownMessageError:
            self._refuse(packet, Refusal.UNKNOWN_MESSAGE, at, events)
            return
        except BadMessageError:
            if row_numbered(packet.number).is_reliable:
                self._refuse(packet, Refusal.BAD_PAYLOAD, at, events)
            return
        match message:
            case HelloRequest():
                self._take_hello_request(message, events)
            case Hello():
                self._take_hello(message, at, events)
            case Ack() | Nack():
                self._take_answer(packet.sequence, message, at, events)
            case _:
                self._take_numbered(packet.sequence, message, at, events)

    def _take_hello_request(self, request: HelloRequest, events: list[LinkEvent]) -> None:
        if self._own_hello is None or request.session == 0:
            return
        if request.major != MAJOR:  # told apart by the host, which knows what to say about it
            self._end_session()
            self._say_hello(request.session)
            return
        is_new = self.phase is not LinkPhase.READY or request.session != self._session
        if is_new:
            self._begin_session(request.session)
        self._say_hello(request.session)
        if is_new:
            events.append(PeerArrived(request))

    def _take_hello(self, hello: Hello, at: float, events: list[LinkEvent]) -> None:
        if self.role is not Role.HOST:
            return
        is_answer = hello.session == self._session
        match self.phase:
            case LinkPhase.GREETING | LinkPhase.REFUSED if is_answer and hello.major == MAJOR:
                self.peer = hello
                self._begin_session(hello.session)
                if "sensors" in hello.capabilities:
                    self._ask_for_snapshot(at)
                events.append(PeerArrived(hello))
            case LinkPhase.GREETING if is_answer:
                self.peer = hello
                self.phase = LinkPhase.REFUSED
                self._greet_at = at + self._timing.ping_s
                events.append(PeerRefused(hello))
            case LinkPhase.READY if not is_answer or self.peer is None or hello.boot != self.peer.boot:
                self._lose(Loss.REBOOTED, at, events)
            case LinkPhase.GREETING | LinkPhase.REFUSED if hello.session == 0:
                self._greet_at = at  # it has just started: ask now, not at the next turn
            case _:
                pass  # an older session's hello, or the same one once more

    def _take_answer(self, sequence: int, answer: Ack | Nack, at: float, events: list[LinkEvent]) -> None:
        if self.phase is not LinkPhase.READY:
            return
        if isinstance(answer, Nack) and answer.refusal in (Refusal.NO_SESSION, Refusal.OUT_OF_SEQUENCE):
            if self.role is Role.HOST:
                loss = Loss.REBOOTED if answer.refusal is Refusal.NO_SESSION else Loss.BROKEN
                self._lose(loss, at, events)
            return
        message = self._outbox.answered(sequence, at)
        if message is None:
            return
        events.append(MessageRefused(message, answer.refusal) if isinstance(answer, Nack) else MessageTaken(message))

    def _take_numbered(self, sequence: int, message: Message, at: float, events: list[LinkEvent]) -> None:
        if row_of(type(message)).sender is Sender(self.role.value):
            return  # our own kind of message coming back: a line with an echo, or another host
        if not self._is_next(sequence, at, events):
            return
        self._control += self._inbox.answer(_packet(Ack(), sequence))
        if self.role is Role.HOST:
            self._count_changes(message, at, events)
        if not isinstance(message, Ping):
            events.append(MessageReceived(message))

    def _refuse(self, packet: Packet, refusal: Refusal, at: float, events: list[LinkEvent]) -> None:
        if self._is_next(packet.sequence, at, events):
            self._control += self._inbox.answer(_packet(Nack(refusal), packet.sequence))

    def _is_next(self, sequence: int, at: float, events: list[LinkEvent]) -> bool:
        """Whether a numbered packet is the next to take; what else it may be is dealt with here."""
        if self.phase is not LinkPhase.READY:
            if self.role is Role.BOARD:
                self._control += _packet(Nack(Refusal.NO_SESSION), sequence)
            return False
        match self._inbox.judge(sequence):
            case Verdict.NEW:
                return True
            case Verdict.AGAIN:
                self._control += self._inbox.last_answer
            case Verdict.GAP if self.role is Role.HOST:
                self._lose(Loss.BROKEN, at, events)
            case Verdict.GAP:
                self._control += _packet(Nack(Refusal.OUT_OF_SEQUENCE), sequence)
        return False

    def _count_changes(self, message: Message, at: float, events: list[LinkEvent]) -> None:
        """Change events are numbered by the board, which may have to drop some: then the whole is asked
        for."""
        if isinstance(message, Snapshot):
            self._next_event = message.next_event
        elif isinstance(message, CellsChanged):
            if self._next_event not in (None, message.first_event):
                missed = (message.first_event - (self._next_event or 0)) % EVENT_NUMBERS
                events.append(ChangesMissed(missed))
                self._ask_for_snapshot(at)
            elif self._next_event is not None:
                self._next_event = (message.first_event + len(message.changes)) % EVENT_NUMBERS

    def _ask_for_snapshot(self, at: float) -> None:
        self._next_event = None  # no change counts until the whole is known
        self._outbox.push(SnapshotRequest(), at, is_urgent=True)

    # --- sessions and time ---

    def _begin_session(self, session: int) -> None:
        self._session = session
        self._session_count += 1
        self.phase = LinkPhase.READY
        self._next_event = None
        self._outbox.reset()
        self._inbox.reset()

    def _end_session(self) -> None:
        self.phase = LinkPhase.GREETING
        self._outbox.reset()
        self._inbox.reset()

    def _lose(self, loss: Loss, at: float, events: list[LinkEvent]) -> None:
        self._end_session()
        events.append(PeerLost(loss))
        if self.role is Role.HOST:
            self._start_greeting(at)

    def _start_greeting(self, at: float) -> None:
        self.phase = LinkPhase.GREETING
        self._session = self._session % (SESSIONS - 1) + 1
        self._greet_at = at
        self._greet_pause_s = self._timing.greet_first_s

    def _greet(self, at: float) -> None:
        if self.phase is LinkPhase.READY or at < self._greet_at:
            return
        request = HelloRequest(MAJOR, MINOR, self._session)
        self._control += DELIMITER + _packet(request)  # the zero ends whatever noise stands before it
        is_refused = self.phase is LinkPhase.REFUSED  # asked on, slowly: it may be flashed
        self._greet_at = at + (self._timing.ping_s if is_refused else self._greet_pause_s)
        self._greet_pause_s = min(2 * self._greet_pause_s, self._timing.greet_most_s)

    def _ping(self, at: float) -> None:
        if self.phase is LinkPhase.READY and self._outbox.is_idle and at >= self._ping_at():
            self._outbox.push(Ping(), at)

    def _ping_at(self) -> float:
        return max(self._heard_at, self._sent_at) + self._timing.ping_s

    def _silent_at(self) -> float | None:
        """When the peer counts as lost if nothing changes."""
        if self.role is Role.BOARD:
            return self._heard_at + self._timing.board_silence_s
        since = self._outbox.waiting_since
        if since is None:
            return None
        silence_s = self._timing.silence_s
        return min(max(self._heard_at, since) + silence_s, since + PATIENCE * silence_s)

    def _notice_silence(self, at: float, events: list[LinkEvent]) -> None:
        silent_at = self._silent_at() if self.phase is LinkPhase.READY else None
        if silent_at is not None and at >= silent_at:
            is_silent = at >= self._heard_at + self._timing.silence_s
            self._lose(Loss.SILENT if is_silent else Loss.BROKEN, at, events)

    def _say_hello(self, session: int) -> None:
        if self._own_hello is not None:
            hello = replace(self._own_hello, session=session)
            self._control += DELIMITER + _packet(hello)


def _packet(message: Message, sequence: int = 0) -> bytes:
    return encode_packet(row_of(type(message)).number, sequence, encode_payload(message))
