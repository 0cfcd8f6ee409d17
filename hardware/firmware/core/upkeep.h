/* What looks after the board: settings, orders, diagnostics, the switches' quality.
 *
 * Rules of this file: no registers. A request is noted and answered by a message of ours when the link is free; one of
 * each kind is enough, since a host asks one thing at a time.
 */
#ifndef COWBOARD_UPKEEP_H
#define COWBOARD_UPKEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "connection.h"

/* Counts of the main loop, for the diagnostics. */
struct pace {
    uint16_t scans;
    uint8_t pictures;
    uint16_t picture_us;
};

void upkeep_start(void);

/* A session begins: nothing is owed. */
void upkeep_host_came(void);

/* A message for looking after the board, or one that no part of this firmware knows. */
outcome_t upkeep_take(uint8_t number);

/* Writes the answer that is owed, if any; its message number, or 0. */
uint8_t upkeep_answer(struct draft *draft, uint32_t now);

/* One more scan, one more picture. */
void upkeep_count_scan(void);
void upkeep_count_picture(uint16_t length_us);

/* Whether the board shall restart as soon as its words have left; call each turn. */
bool upkeep_turn(uint32_t now);

#endif
