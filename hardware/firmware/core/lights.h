/* Lights: palette, two banks, motions; from a light plan to the colour of each LED.
 *
 * Rules of this file: no registers; time is an argument. How it works: a bank keeps one byte for each LED, in the order
 * in which the LEDs hang on the wire, so that a picture can be clocked out from it without looking anything up:
 *
 *     high half  colour number            → tint[colour], the palette dimmed for this picture
 *     low half   shade slot               → shade[slot], the motion's brightness at this moment
 *
 * Slots: one each for steady, breathe, blink, pulse; four each for the two chases (a wave four cells long) and for
 * sparkle. An LED's colour is tint * (shade + 1) / 256, worked out while the LED before it is clocked out.
 */
#ifndef COWBOARD_LIGHTS_H
#define COWBOARD_LIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define PALETTE_SIZE 16
#define SLOT_COUNT 16

/* What the LEDs are clocked out from. The assembly of a board knows this layout. */
struct picture {
    uint8_t lights[CELL_COUNT];
    uint8_t shade[SLOT_COUNT];
    uint8_t tint[PALETTE_SIZE][4]; /* green, red, blue, unused: the order in which a WS2812B wants them */
};

extern struct picture lights_picture; /* the shown bank and its colours */

void lights_start(void);

/* The host's messages, already checked; they read the payload. */
void lights_take_palette(void);
void lights_take_all(void);
void lights_take_runs(void);
void lights_take_groups(void);

/* Makes the hidden bank the shown one, at a brightness level 0..255. */
void lights_show(uint8_t level);

/* The light of a host that has been silent for too long: the super beam breathing, dimly. */
void lights_show_safe(void);

/* The brightness of each slot at this moment, for the picture. */
void lights_move(uint32_t now);

/* The tints of the picture: the palette at brightness 0..255. */
void lights_dim(uint8_t brightness);

/* The brightness the host wants. */
uint8_t lights_level(void);

/* For each slot, the sum of half the colour values of all LEDs in it, rounded up; anew after each change. */
const uint16_t *lights_weights(void);

/* One LED's green, red and blue as a board shows them. */
void lights_led(uint8_t led, uint8_t colours[3]);

#endif
