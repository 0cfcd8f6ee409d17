/* Changes of debounced cells that the host hasn't been told yet: numbered, with their time, the oldest dropped first.
 *
 * Rules of this file: no registers. Numbers count modulo 65536 and go on over dropped changes, so the host sees the gap.
 */
#ifndef COWBOARD_CHANGES_H
#define COWBOARD_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

void changes_start(void);

/* A change and the low half of its time. */
void changes_note(uint8_t cell, bool is_on, uint16_t ms);

/* Whether any wait; they needn't be told any more. */
bool changes_wait(void);
void changes_forget(void);

/* The number of the next change to happen, and of the oldest that waits. */
uint16_t changes_next(void);
uint16_t changes_first(void);

/* Puts the oldest into a cells_changed message: numbers in a row. */
void changes_put(struct draft *draft, uint32_t now);

uint16_t changes_dropped(void);

#endif
