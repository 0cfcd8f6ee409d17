/* Packets: COBS, CRC and a ring of received bytes in which packets are unpacked where they lie.
 *
 * Rules of this file: no registers, no clock. Whatever isn't a whole packet is dropped and counted; no byte stream can
 * make anything here wait, or write past the ring.
 *
 * How it works:
 *
 *     tail            start of packet      scanned         head
 *      | released      | unstuffed . . . .  | not looked at  |  free
 *
 * The receiver's interrupt moves `head`; the main loop unstuffs behind its own eyes, so that a packet needs no second
 * buffer. Its payload stays readable until `packets_release`.
 */
#ifndef COWBOARD_PACKETS_H
#define COWBOARD_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

struct packet {
    uint8_t number;
    uint8_t sequence;
};

struct packet_counts {
    uint16_t good;
    uint16_t dropped;
    uint16_t memory_full; /* bytes that found the ring full */
};

extern struct packet_counts packet_counts;
extern uint8_t packets_seen; /* good or damaged, counting round: a sign of life each */
extern uint8_t packet_ring[256];
extern volatile uint8_t packet_head; /* where the next byte goes */
extern volatile uint8_t packet_tail; /* the oldest byte still needed */

/* One more, but never past the end. */
void count_up(uint16_t *count, uint16_t more);

/* A byte of the host; from the receiver's interrupt. */
static inline void packets_push(uint8_t byte)
{
    uint8_t head = packet_head, next = head + 1;
    if (next == packet_tail) {
        if (packet_counts.memory_full != UINT16_MAX)
            packet_counts.memory_full++;
        return;
    }
    packet_ring[head] = byte;
    packet_head = next;
}

void packets_start(void);

/* Room in the ring; and: everything in it is lost, since more came than there was room. */
uint8_t packets_room(void);
void packets_overflowed(uint16_t byte_count);

/* Looks through the received bytes up to the end of one packet; whether it is a good one. After a good one its payload
 * can be read until `packets_release`, which must follow before the next take. */
bool packets_take(struct packet *packet);
void packets_release(void);

/* Whether bytes wait to be looked at. */
bool packets_have_news(void);

/* Whether a packet has begun to come in and isn't whole yet. */
bool packets_is_coming(void);

/* The payload of the packet taken: go to its start; bytes left; the next byte (0 past the end). */
void payload_rewind(void);
uint8_t payload_left(void);
uint8_t payload_u8(void);
uint16_t payload_u16(void);

/* Sends a packet. */
void packets_send(const struct packet *packet, const uint8_t *payload, uint8_t size);

/* Ends whatever noise stands on the line before. */
void packets_send_delimiter(void);

#endif
