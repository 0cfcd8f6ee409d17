/* The supply's voltage, watched against what it was when the lights were still dark.
 *
 * Rules of this file: no registers; time is an argument. Only the sag counts: neither the divider's ratio nor the chip's
 * reference voltage, which differs by 10 % from chip to chip, has to be known. Where nothing is measured at the start
 * there is no divider.
 */
#ifndef COWBOARD_SUPPLY_H
#define COWBOARD_SUPPLY_H

#include <stdbool.h>
#include <stdint.h>

void supply_start(void);

/* Measures now and then; whether it has begun or ceased to sag. */
bool supply_turn(uint32_t now);

bool supply_is_measured(void);
bool supply_sags(void);
uint8_t supply_percent(void); /* of what it was at the start; 0: not measured */

#endif
