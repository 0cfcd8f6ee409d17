/* One direction of a serial line: what its sender put on it, and what a receiver with a clock of its own makes of it.
 *
 *   idle ‾‾‾‾\____/‾‾‾‾\____ ... ‾‾‾‾‾‾‾      falling edge → sampled in the middle of each bit, stop bit included
 *            start 0    1   ...  7  stop
 *
 * Times are cycles with fractions, since bits needn't be whole cycles. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stdint.h>

#define WIRE_KEPT 512 /* more than enough: a byte at 9,600 baud lasts as long as 104 at 1,000,000 */

struct wire {
	struct wire_piece { double begin, bit; uint16_t levels; uint16_t bit_count; } pieces[WIRE_KEPT];
	unsigned count; /* of all pieces ever; the newest is at (count - 1) % WIRE_KEPT */
};

struct wire_byte {
	uint8_t byte;
	bool has_stop; /* else a framing error */
};

/* A byte with start and stop bits; a break is a piece with no bit up. */
void wire_put(struct wire *wire, double begin, double bit, uint8_t byte, int stop_bits);
void wire_put_break(struct wire *wire, double begin, double bit, int bit_count);

/* The sender falls silent in the middle of what it sends. */
void wire_cut(struct wire *wire, double at);

/* The end of what was sent so far. */
double wire_end(const struct wire *wire);

/* When the newest piece began. */
double wire_begin(const struct wire *wire);

/* The first falling edge at or after `from`; negative where there is none yet. */
double wire_fall(const struct wire *wire, double from);

/* What a receiver reads whose start bit began at `begin`. */
struct wire_byte wire_read(const struct wire *wire, double begin, double bit);

#endif
