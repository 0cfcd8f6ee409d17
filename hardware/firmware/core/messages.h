/* Messages: checks what a host sent against the message table's shapes, and writes what the board says.
 *
 * Rules of this file: no registers, no clock. A payload is checked whole before anything of it is used, so whoever
 * reads it afterwards may trust every count and number in it. Surplus bytes belong to a newer host and are left alone.
 */
#ifndef COWBOARD_MESSAGES_H
#define COWBOARD_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

enum fitness { FITS, IS_UNKNOWN, IS_BAD, IS_OUR_OWN };

/* Whether the payload of the packet taken fits its message; afterwards it is read from its start again. */
enum fitness messages_check(uint8_t number);

/* Whether this message of a host is numbered and acknowledged. */
bool messages_is_numbered(uint8_t number);

/* Writing: begin with the payload's memory, put its fields in their order. Whoever begins knows that it fits. */
struct draft {
    uint8_t *bytes;
    uint8_t size;
};

void put_u8(struct draft *draft, uint8_t value);
void put_u16(struct draft *draft, uint16_t value);
void put_u32(struct draft *draft, uint32_t value);
void put_text(struct draft *draft, const char *rom_text); /* a length byte first; the text lies in ROM */

#endif
