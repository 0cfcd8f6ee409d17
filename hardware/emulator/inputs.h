/* The 144 switches of the chain as the world has them: closed or open, bouncing, stuck, chattering.
 *
 * Input n is bit 7 - n % 8 of the byte read n / 8 th: the one next to the controller is input 0. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#define INPUT_COUNT 144
#define CHIP_COUNT 18

enum input_fault {
	INPUT_SOUND,
	INPUT_STUCK_OPEN,
	INPUT_STUCK_CLOSED,
	INPUT_CHATTERS, /* turns over every period */
	INPUT_IS_WEAK,  /* where closed: holds or misses anew every period, as under a weak magnet */
	INPUT_IS_GHOST, /* closed for 70 of 100 periods, whatever stands there */
};

/* `closed_is_low`: a switch to ground with a pull-up, as the board is built. */
void inputs_open(bool closed_is_low, uint32_t seed);

/* Closes or opens a switch; it bounces for as long as `inputs_bounce` says. */
void inputs_set(int input, int is_closed);
bool inputs_is_closed(int input);
/* Every change bounces for so many microseconds from now on. */
void inputs_bounce(unsigned us);
/* A fault, and its period where it has one. */
void inputs_spoil(int input, enum input_fault fault, unsigned period_us);

/* The levels at the chips' pins now. */
void inputs_levels(uint8_t levels[CHIP_COUNT]);

#endif
