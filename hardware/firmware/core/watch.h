/* Watches for more occupied cells than there are cows, and names the cell that can't be right.
 *
 * Rules of this file: no registers; time is an argument. Nine cows can't occupy ten cells: if more are occupied for two
 * seconds, a cell is named. Where the rest of its beam went on changing under it it is stuck, else it is a ghost. The
 * same laws as in firmware_bridge/virtual/scan.py.
 */
#ifndef COWBOARD_WATCH_H
#define COWBOARD_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct trouble {
    uint8_t fault; /* 0: none */
    uint8_t cell;
};

void watch_start(void);

/* A debounced change. */
void watch_note(uint8_t cell, bool is_on);

/* The trouble there is now. */
struct trouble watch_turn(uint32_t now);

#endif
