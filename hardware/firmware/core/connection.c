#include "connection.h"

#include "protocol.h"

enum answer { NOT_ANSWERED, ACKED, NACKED };

static bool is_ready;
static uint16_t session;
static uint16_t heard_ms;
static uint8_t seen;
static uint16_t resends;

static struct {
    uint8_t expected;
    enum answer last;
    uint8_t refusal;
    bool is_working; /* the message before the expected one is still being done */
} inbox;

static uint8_t payload[MOST_PAYLOAD_BYTES];
static struct draft draft = {payload, 0};

static struct {
    struct packet packet;
    bool is_under_way;
    uint8_t send_count;
    uint16_t sent_ms;
    uint16_t due_ms;
} outbox;

/* Round trip, smoothed (1/8 ms) and its mean deviation (1/4 ms). */
static uint16_t smoothed;
static uint16_t deviation;

static void send_control(uint8_t number, uint8_t sequence, uint8_t refusal)
{
    struct packet packet = {number, sequence};
    packets_send(&packet, &refusal, number == MESSAGE_NACK);
}

static void say_hello(uint16_t to_session)
{
    uint8_t bytes[HELLO_BYTES];
    struct draft hello = {bytes, 0};
    struct packet packet = {MESSAGE_HELLO, 0};
    put_u8(&hello, PROTOCOL_MAJOR);
    put_u8(&hello, PROTOCOL_MINOR);
    put_u16(&hello, to_session);
    work_describe(&hello);
    packets_send_delimiter(); /* ends whatever stands on the line before */
    packets_send(&packet, bytes, hello.size);
}

static void forget_all(void)
{
    inbox.expected = 0;
    inbox.last = NOT_ANSWERED;
    inbox.is_working = false;
    outbox.is_under_way = false;
    outbox.packet.sequence = 0;
}

void connection_start(uint32_t now)
{
    is_ready = false;
    heard_ms = (uint16_t)now;
    seen = packets_seen;
    resends = smoothed = deviation = 0;
    forget_all();
    say_hello(0);
}

static void take_hello_request(void)
{
    uint8_t major = payload_u8();
    payload_u8(); /* the host's minor: we say nothing it hasn't asked for */
    uint16_t wanted = payload_u16();
    if (wanted == 0)
        return;
    if (major != PROTOCOL_MAJOR) {
        is_ready = false;
        forget_all();
    } else if (!is_ready || wanted != session) {
        is_ready = true;
        session = wanted;
        forget_all();
        work_session_began();
    }
    say_hello(wanted);
}

/* --- our messages --- */

static uint16_t time_out(uint8_t send_count)
{
    uint16_t wanted = smoothed ? (smoothed >> 3) + deviation : RESEND_FIRST_MS;
    if (wanted < RESEND_LEAST_MS)
        wanted = RESEND_LEAST_MS;
    while (send_count-- && wanted < RESEND_MOST_MS)
        wanted *= 2;
    return wanted > RESEND_MOST_MS ? RESEND_MOST_MS : wanted;
}

static void learn_round_trip(uint16_t sample)
{
    if (!smoothed) {
        smoothed = (uint16_t)(sample << 3) | 1; /* never 0 again */
        deviation = sample * 2;
        return;
    }
    int16_t off = (int16_t)(sample - (smoothed >> 3));
    smoothed = (uint16_t)(smoothed + off) | 1;
    uint16_t size = (uint16_t)(off < 0 ? -off : off);
    deviation = (uint16_t)(deviation + size - (deviation >> 2));
}

static void send_due(uint32_t now)
{
    if (outbox.send_count)
        count_up(&resends, 1);
    outbox.due_ms = (uint16_t)now + time_out(outbox.send_count);
    if (outbox.send_count < UINT8_MAX)
        outbox.send_count++;
    packets_send(&outbox.packet, payload, draft.size);
}

bool connection_is_free(void)
{
    return is_ready && !outbox.is_under_way;
}

struct draft *connection_draft(void)
{
    draft.size = 0;
    return &draft;
}

void connection_send(uint8_t number, uint32_t now)
{
    outbox.packet.number = number;
    outbox.is_under_way = true;
    outbox.send_count = 0;
    outbox.sent_ms = (uint16_t)now;
    send_due(now);
}

uint16_t connection_resends(void)
{
    return resends;
}

static void take_answer(const struct packet *packet, uint32_t now)
{
    if (!is_ready || !outbox.is_under_way || packet->sequence != outbox.packet.sequence)
        return;
    if (packet->number == MESSAGE_NACK) {
        uint8_t refusal = payload_u8();
        if (refusal == REFUSAL_NO_SESSION || refusal == REFUSAL_OUT_OF_SEQUENCE)
            return; /* a host begins anew by itself */
    }
    if (outbox.send_count == 1)
        learn_round_trip((uint16_t)now - outbox.sent_ms);
    outbox.is_under_way = false;
    outbox.packet.sequence++;
}

/* --- the host's messages --- */

static void answer(enum answer kind, uint8_t refusal)
{
    inbox.last = kind;
    inbox.refusal = refusal;
    send_control(kind == ACKED ? MESSAGE_ACK : MESSAGE_NACK, inbox.expected - 1, refusal);
}

/* Whether a numbered packet is the next to take; what else it may be is dealt with here. */
static bool is_next(uint8_t sequence)
{
    if (!is_ready) {
        send_control(MESSAGE_NACK, sequence, REFUSAL_NO_SESSION);
        return false;
    }
    if (inbox.is_working) {
        return false; /* it will be sent again */
    }
    if (sequence == inbox.expected)
        return true;
    if (inbox.last != NOT_ANSWERED && sequence == (uint8_t)(inbox.expected - 1))
        answer(inbox.last, inbox.refusal);
    else
        send_control(MESSAGE_NACK, sequence, REFUSAL_OUT_OF_SEQUENCE);
    return false;
}

static void refuse(uint8_t sequence, uint8_t refusal)
{
    if (is_next(sequence)) {
        inbox.expected++;
        answer(NACKED, refusal);
    }
}

static void take_numbered(const struct packet *packet, uint32_t now)
{
    if (!is_next(packet->sequence))
        return;
    outcome_t outcome = packet->number == MESSAGE_PING ? DONE : work_take(packet->number, now);
    if (outcome == NOT_NOW)
        return;
    inbox.expected++;
    if (outcome == DONE)
        answer(ACKED, 0);
    else if (outcome == GOES_ON)
        inbox.is_working = true;
    else
        answer(NACKED, (uint8_t)-outcome);
}

void connection_work_is_over(void)
{
    if (!inbox.is_working)
        return; /* the session it belonged to is over */
    inbox.is_working = false;
    answer(ACKED, 0);
}

void connection_take(const struct packet *packet, uint32_t now)
{
    enum fitness fitness = messages_check(packet->number);
    if (fitness == IS_OUR_OWN)
        return; /* a line with an echo */
    if (fitness == IS_UNKNOWN) {
        refuse(packet->sequence, REFUSAL_UNKNOWN_MESSAGE);
    } else if (!messages_is_numbered(packet->number)) {
        if (fitness != FITS)
            return;
        if (packet->number == MESSAGE_HELLO_REQUEST)
            take_hello_request();
        else
            take_answer(packet, now);
    } else if (fitness == IS_BAD) {
        refuse(packet->sequence, REFUSAL_BAD_PAYLOAD);
    } else {
        take_numbered(packet, now);
    }
}

void connection_turn(uint32_t now)
{
    if (seen != packets_seen) { /* a damaged packet is a sign of life too */
        seen = packets_seen;
        heard_ms = (uint16_t)now;
    }
    if (!is_ready)
        return;
    if ((uint16_t)((uint16_t)now - heard_ms) >= SILENCE_MS) {
        is_ready = false;
        forget_all();
        work_host_lost();
    } else if (outbox.is_under_way && (int16_t)((uint16_t)now - outbox.due_ms) >= 0) {
        send_due(now);
    }
}
