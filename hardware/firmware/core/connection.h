/* The board's end of the link: hello, session, sequence, acknowledgement, resend, silence.
 *
 * Rules of this file: no registers; time is an argument, ms of the board. It keeps the rules of docs/protocol.md as the
 * host's program has them in firmware_bridge/connection.py, and the same timelines test both.
 *
 * How it works:
 *
 *     ALONE ── hello_request S ──► READY: both sequences at 0 ── 5 s of silence ──► ALONE, safe light
 *     host → board   expected n: done, then ack n;  n-1: the same answer again;  else nack out-of-sequence
 *     board → host   one message under way, sent again after its time-out until ack or nack comes
 *
 * What takes longer than a moment (a picture, a write to kept memory) is acknowledged when it is over.
 */
#ifndef COWBOARD_CONNECTION_H
#define COWBOARD_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"
#include "packets.h"

/* What comes of a host's message. A refusal's number is negative here. */
enum outcome { DONE = 0, GOES_ON = 1, NOT_NOW = 2 };
typedef int8_t outcome_t;
#define REFUSED(refusal) ((outcome_t) - (refusal))

#define MOST_PAYLOAD_BYTES 48 /* of a message of ours; the hello is written apart */

/* Called for each new message of the host that fits; the payload is read with `payload_u8`. */
outcome_t work_take(uint8_t number, uint32_t now);

/* Called when a session begins, and when the host has been silent for too long. */
void work_session_began(void);
void work_host_lost(void);

/* Writes the hello's fields behind major, minor and session. */
void work_describe(struct draft *hello);
#define HELLO_BYTES 72

void connection_start(uint32_t now);
void connection_take(const struct packet *packet, uint32_t now);

/* Notices bytes, silence and time-outs; call each turn. */
void connection_turn(uint32_t now);

/* The work that went on is over: acknowledge it. */
void connection_work_is_over(void);

/* Whether there is a session and nothing under way: then one message may be sent. */
bool connection_is_free(void);

/* Sends a message: put its payload into the draft, then send. */
struct draft *connection_draft(void);
void connection_send(uint8_t number, uint32_t now);

uint16_t connection_resends(void);

#endif
