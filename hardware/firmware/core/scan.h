/* The scan: raw switches to debounced cells, numbered changes with their time, and troubled switches.
 *
 * Rules of this file: no registers; time is an argument, ms of the board. How it works, for each input:
 *
 *     raw        ____|--|_|--------
 *     debounced  ______________|---     taken when raw stood still for DEBOUNCE_MS, stamped with its last edge
 *
 * An input that turns over too often chatters: it keeps its debounced value until it has been quiet for a second. A
 * bucket counts its edges; it leaks twelve a second. The first scan is taken as it is and makes no changes.
 *
 * A switch may pull its input up or down: nine cows can't occupy half the board, so the level that most inputs have is
 * the free one.
 *
 * Faults are told as the difference between what is and what the host has been told, so none is lost however long the
 * host is away.
 */
#ifndef COWBOARD_SCAN_H
#define COWBOARD_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "messages.h"

#define DEBOUNCE_MS 2 /* three scans alike; Hall switches don't bounce, reeds settle within 1 ms */

void scan_start(void);

/* Takes one scan of the switches. */
void scan_take(const uint8_t inputs[INPUT_BYTES], uint32_t now);

/* Whether a change waits to be taken or told: then a picture can wait a moment. */
bool scan_is_settling(void);
bool scan_has_begun(void);

/* A session begins: changes waiting are forgotten, standing faults will be told. */
void scan_host_came(void);

/* The whole occupancy; what changed before it needn't be told any more. */
void scan_put_snapshot(struct draft *draft, uint32_t now);

/* Whether there is a fault to tell, begun or over, and its message. */
bool scan_put_fault(struct draft *draft, uint32_t now);

/* How steadily the switches work. */
void scan_put_quality(struct draft *draft, uint8_t first_cell);

#endif
