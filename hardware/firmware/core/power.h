/* Current: how bright a picture may be, so that the lights never draw more than the stated supply can give them.
 *
 * Rules of this file: no registers. The figures are upper bounds, the same as in firmware_bridge/power.py: 18 mA for
 * one of an LED's three colours at full brightness, 1 mA for an LED that is dark; 90 % of the supply is given out, less
 * what controller and switches need. A picture that wants more is dimmed evenly; one that is much brighter than the one
 * before it is brought up in steps, so that the supply isn't jerked.
 */
#ifndef COWBOARD_POWER_H
#define COWBOARD_POWER_H

#include <stdbool.h>
#include <stdint.h>

/* The stated supply and what of it isn't for the lights, in mA. */
void power_start(uint16_t supply_ma, uint16_t reserve_ma);

/* Whether the supply sags: then the lights get less. */
void power_sags(bool does_sag);

/* The brightness 0..255 for the next picture; `weights` and `shade` by slot, `level` what the host wants. */
uint8_t power_brightness(const uint16_t *weights, const uint8_t *shade, uint8_t level);

/* The most the last picture draws, dark LEDs included, and the most any may; in mA. */
uint16_t power_lights_ma(void);
uint16_t power_budget_ma(void);

/* Whether the last picture was held back by a step: the next should follow soon. */
bool power_is_rising(void);

#endif
