"""Stop-and-wait delivery: one message under way, numbered, resent until acknowledged, delivered once and in
order.

Rules of this file: no clock (times are arguments, monotonic seconds), no bytes but whole packets, no session.

Why one at a time: the board's chip holds two received bytes while it clocks its LEDs out, so a host that
streams loses a quarter of its packets and one that waits for each acknowledgement loses none; waiting costs
2 to 7 %.

    sender:    send n ── resend n (time-out, doubling) ── … ── ack n → send n+1
    receiver:  n expected → take, answer, expect n+1;  n-1 → answer again, don't take;  else → a gap
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.messages import Message, encode_payload, row_of
from firmware_bridge.packets import encode_packet

MOST_WAITING = 64
SEQUENCES = 256
LATENCY_SAMPLES = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Every time-out of the link, in seconds.

    `resend_*`: the time-out starts at `first`, adapts to the measured round trip within `least`..`most` and
    doubles with each resend, up to `most`: nobody else is on the line, so nothing is gained by waiting
    long. 30 ms is above an FTDI's 16 ms latency timer plus an LED refresh of 4.5 ms. `greet_*`: how often
    hello is asked for. `ping`: idle time after which the host asks for a sign of life; `silence`: time
    without one after which the board counts as lost; `board_silence`: the same on the board, for its safe
    light.
    """

    resend_first_s: float = 0.1
    resend_least_s: float = 0.03
    resend_most_s: float = 0.15
    greet_first_s: float = 0.1
    greet_most_s: float = 0.1
    ping_s: float = 1.0
    silence_s: float = 2.5
    board_silence_s: float = 5.0


class RoundTrip:
    """The adaptive time-out: smoothed round trip plus four mean deviations (RFC 6298), and samples for
    p50/p95."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._smoothed_s: float | None = None
        self._deviation_s = 0.0
        self.samples_s: deque[float] = deque(maxlen=LATENCY_SAMPLES)

    def add(self, sample_s: float) -> None:
        """Take one round trip of a message that was sent only once (an answer to a resend proves nothing)."""
        self.samples_s.append(sample_s)
        if self._smoothed_s is None:
            self._smoothed_s, self._deviation_s = sample_s, sample_s / 2
            return
        self._deviation_s += (abs(sample_s - self._smoothed_s) - self._deviation_s) / 4
        self._smoothed_s += (sample_s - self._smoothed_s) / 8

    def timeout_s(self, resend_count: int) -> float:
        """How long to wait for an acknowledgement after that many resends."""
        timing = self._timing
        wanted = timing.resend_first_s
        if self._smoothed_s is not None:
            wanted = self._smoothed_s + 4 * self._deviation_s
        wanted = max(timing.resend_least_s, wanted) * (1 << min(resend_count, 10))
        return min(wanted, timing.resend_most_s)

    def percentile_s(self, share: float) -> float | None:
        """The latency that this share (0..1) of the last messages stayed within; None before the first."""
        if not self.samples_s:
            return None
        ordered = sorted(self.samples_s)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(slots=True)
class _UnderWay:
    message: Message
    packet: bytes
    first_sent_at: float
    due_at: float
    send_count: int = 0


class Outbox:
    """The sending half: a short queue, one message under way."""

    def __init__(self, timing: Timing) -> None:
        self.round_trip = RoundTrip(timing)
        self.resend_count = 0
        self._queue: deque[tuple[Message, bytes, float]] = deque()
        self._next_sequence = 0
        self._under_way: _UnderWay | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return self._under_way is None and not self._queue

    @property
    def room(self) -> int:
        """How many more messages may be pushed."""
        return MOST_WAITING - len(self._queue)

    @property
    def waiting_since(self) -> float | None:
        """When the message under way was first sent."""
        return self._under_way.first_sent_at if self._under_way else None

    def reset(self) -> None:
        """Forget everything under way and waiting; numbers begin again at 0. Measured round trips stay."""
        self._queue.clear()
        self._next_sequence = 0
        self._under_way = None

    def push(self, message: Message, at: float, *, is_urgent: bool = False) -> None:
        """Queue a message, an urgent one at the front (one of its kind is enough there).

        Raises:
            LocalProtocolError: the queue is full, or a value doesn't fit its field.
        """
        payload = encode_payload(message)
        if is_urgent:
            if not (self._queue and self._queue[0][0] == message):
                self._queue.appendleft((message, payload, at))
            return
        if self.room <= 0:
            raise LocalProtocolError(f"{MOST_WAITING} messages wait already; look at `room` before sending")
        self._queue.append((message, payload, at))

    def packet_due(self, at: float) -> bytes:
        """The packet to send now: the next message, the one under way again after its time-out, or
        nothing."""
        if self._under_way is None and self._queue:
            message, payload, _ = self._queue.popleft()
            packet = encode_packet(row_of(type(message)).number, self._next_sequence, payload)
            self._under_way = _UnderWay(message, packet, at, at)
        current = self._under_way
        if current is None or at < current.due_at:
            return b""
        self.resend_count += current.send_count > 0
        current.due_at = at + self.round_trip.timeout_s(current.send_count)
        current.send_count += 1
        return current.packet

    def deadline(self) -> float | None:
        """When `packet_due` will next have something."""
        if self._under_way is not None:
            return self._under_way.due_at
        return self._queue[0][2] if self._queue else None

    def answered(self, sequence: int, at: float) -> Message | None:
        """The message that an ack or nack with this number belongs to; None for a late or foreign one."""
        current = self._under_way
        if current is None or sequence != self._next_sequence or current.send_count == 0:
            return None
        if current.send_count == 1:
            self.round_trip.add(max(0.0, at - current.first_sent_at))
        self._under_way = None
        self._next_sequence = (self._next_sequence + 1) % SEQUENCES
        return current.message


class Verdict(Enum):
    """What a sequence number says of a packet."""

    NEW = "new"
    AGAIN = "again"
    GAP = "gap"


class Inbox:
    """The receiving half: what is new, what is a duplicate, and the answer to repeat for it."""

    def __init__(self) -> None:
        self.duplicate_count = 0
        self.last_answer = b""
        self._expected = 0

    def reset(self) -> None:
        """Expect number 0 again."""
        self.last_answer = b""
        self._expected = 0

    def judge(self, sequence: int) -> Verdict:
        """Whether a numbered packet is new, one already answered, or out of sequence; changes nothing but
        counts."""
        if sequence == self._expected:
            return Verdict.NEW
        if self.last_answer and sequence == (self._expected - 1) % SEQUENCES:
            self.duplicate_count += 1
            return Verdict.AGAIN
        return Verdict.GAP

    def answer(self, packet: bytes) -> bytes:
        """The expected message is taken or refused with this answer packet: expect the next."""
        self.last_answer = packet
        self._expected = (self._expected + 1) % SEQUENCES
        return packet
