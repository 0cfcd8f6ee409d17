#include "packets.h"

#include "board.h"
#include "crc.h"
#include "protocol.h"

#define HEAD_BYTES 2
#define CRC_BYTES 2
#define LAST_BLOCK 0xFF /* a block of 254 bytes has no zero after it */

uint8_t packet_ring[256];
volatile uint8_t packet_head;
volatile uint8_t packet_tail;
struct packet_counts packet_counts;
uint8_t packets_seen;

static uint8_t scanned;   /* first byte not looked at */
static uint8_t stuffed;   /* bytes of the packet looked at */
static uint8_t body;      /* bytes of it unstuffed, its CRC included */
static uint8_t left;      /* bytes left in the block */
static uint8_t block;     /* the block's code */
static uint16_t crc;      /* over all but the last two unstuffed bytes */
static bool is_overlong;

static uint8_t reading_at;
static uint8_t reading_left;

void count_up(uint16_t *count, uint16_t more)
{
    *count = more > UINT16_MAX - *count ? UINT16_MAX : (uint16_t)(*count + more);
}

static void begin(void)
{
    packet_tail = scanned;
    stuffed = body = left = 0;
    block = LAST_BLOCK;
    crc = CRC_START;
    is_overlong = false;
}

void packets_start(void)
{
    packet_head = scanned = 0;
    begin();
}

uint8_t packets_room(void)
{
    return (uint8_t)(packet_tail - packet_head - 1);
}

void packets_overflowed(uint16_t byte_count)
{
    count_up(&packet_counts.memory_full, byte_count);
    scanned = packet_head;
    begin();
    is_overlong = true; /* what comes up to the next zero is the rest of something lost */
    stuffed = 1;
}

static void unstuffed(uint8_t byte)
{
    uint8_t at = packet_tail + body;
    packet_ring[at] = byte;
    body++;
    if (body > CRC_BYTES)
        crc = crc_add(crc, packet_ring[(uint8_t)(at - CRC_BYTES)]);
}

static void look_at(uint8_t byte)
{
    if (is_overlong) {
        packet_tail = scanned;
        return;
    }
    if (++stuffed > MOST_STUFFED_BYTES) {
        is_overlong = true;
        return;
    }
    if (left) {
        left--;
        unstuffed(byte);
        return;
    }
    if (block != LAST_BLOCK)
        unstuffed(0);
    block = byte;
    left = byte - 1;
}

/* A zero came: whether a good packet ends with it. */
static bool is_good(void)
{
    if (is_overlong || left || body < HEAD_BYTES + CRC_BYTES)
        return false;
    uint8_t end = packet_tail + body;
    return crc == (packet_ring[(uint8_t)(end - 2)] | (uint16_t)packet_ring[(uint8_t)(end - 1)] << 8);
}

bool packets_take(struct packet *packet)
{
    while (scanned != packet_head) {
        uint8_t byte = packet_ring[scanned++];
        if (byte) {
            look_at(byte);
            continue;
        }
        if (is_good()) {
            packets_seen++;
            count_up(&packet_counts.good, 1);
            packet->number = packet_ring[packet_tail];
            packet->sequence = packet_ring[(uint8_t)(packet_tail + 1)];
            payload_rewind();
            return true;
        }
        bool was_something = stuffed != 0;
        begin();
        if (was_something) {
            packets_seen++;
            count_up(&packet_counts.dropped, 1);
            return false; /* at most one packet, good or bad, a turn: nothing else starves */
        }
    }
    return false;
}

void packets_release(void)
{
    begin();
}

bool packets_have_news(void)
{
    return scanned != packet_head;
}

bool packets_is_coming(void)
{
    return (stuffed && !is_overlong) || scanned != packet_head;
}

void payload_rewind(void)
{
    reading_at = packet_tail + HEAD_BYTES;
    reading_left = body - HEAD_BYTES - CRC_BYTES;
}

uint8_t payload_left(void)
{
    return reading_left;
}

uint8_t payload_u8(void)
{
    if (!reading_left)
        return 0;
    reading_left--;
    return packet_ring[reading_at++];
}

uint16_t payload_u16(void)
{
    uint8_t low = payload_u8();
    return low | (uint16_t)payload_u8() << 8;
}

/* --- sending --- */

struct outgoing {
    struct packet packet;
    const uint8_t *payload;
    uint8_t size; /* of the payload */
    uint16_t crc;
};

static uint8_t outgoing_byte(const struct outgoing *out, uint8_t at)
{
    if (at == 0)
        return out->packet.number;
    if (at == 1)
        return out->packet.sequence;
    at -= HEAD_BYTES;
    if (at < out->size)
        return out->payload[at];
    return at == out->size ? (uint8_t)out->crc : (uint8_t)(out->crc >> 8);
}

void packets_send(const struct packet *packet, const uint8_t *payload, uint8_t size)
{
    struct outgoing out = {*packet, payload, size, CRC_START};
    uint8_t total = HEAD_BYTES + size;
    for (uint8_t at = 0; at < total; at++)
        out.crc = crc_add(out.crc, outgoing_byte(&out, at));
    total += CRC_BYTES;
    uint8_t at = 0;
    do { /* a block for each zero, and one for the end */
        uint8_t end = at;
        while (end < total && outgoing_byte(&out, end))
            end++;
        board_write(end - at + 1);
        for (; at < end; at++)
            board_write(outgoing_byte(&out, at));
        at++;
    } while (at <= total);
    packets_send_delimiter();
}

void packets_send_delimiter(void)
{
    board_write(0);
}
