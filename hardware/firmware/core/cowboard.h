/* The board as a whole: one turn of its main loop after the other.
 *
 * Rules of this file: no registers. Nothing in a turn waits but the clocking out of a picture, and at most one packet
 * is taken a turn, so that a full line can't starve the lights nor the lights the line.
 *
 * How a turn goes:
 *
 *     packet → its work → silence and resends → scan → news to the host → picture, if one is due
 *
 * A picture that a host asked for is shown at once. One that is due for the motions waits a little while a packet is
 * coming in or a change settles: it would hold them up for its 4.2 ms, and they can't be held up unseen.
 */
#ifndef COWBOARD_COWBOARD_H
#define COWBOARD_COWBOARD_H

#include <stdint.h>

/* Starts everything; the reason is one of BOOT_... */
void cowboard_start(uint8_t boot_reason);

/* One turn; afterwards the controller may sleep until a byte comes or a millisecond has passed. */
void cowboard_turn(void);

#endif
