#include "lights.h"

#include <string.h>

#include "packets.h"
#include "rom.h"
#include "store.h"

#define FULL 255
#define SAFE_LIGHT (COLOUR_DIM_WHITE << 4 | MOTION_BREATHE)
#define PHASES 4 /* cells of a chase's wave; groups of sparkling cells */
#define BLINK_HALF_MS 512
#define PULSE_FLOOR 16
#define BREATHE_FLOOR 24
#define SPARKLE_FLOOR 40

enum { SLOT_STEADY, SLOT_BREATHE, SLOT_BLINK, SLOT_PULSE, SLOT_TO_WHITE, SLOT_TO_BLACK = 8, SLOT_SPARKLE = 12 };

static const uint8_t default_palette[PALETTE_SIZE][3] ROM = {DEFAULT_PALETTE};

struct picture lights_picture;
static uint8_t hidden[CELL_COUNT];
static uint8_t palette[PALETTE_SIZE][3];
static uint8_t level;
static uint16_t weights[SLOT_COUNT];
static bool are_weights_stale;

void lights_start(void)
{
    memset(hidden, 0, sizeof hidden);
    memset(&lights_picture, 0, sizeof lights_picture);
    uint8_t *to = palette[0];
    const uint8_t *from = default_palette[0];
    for (uint8_t at = 0; at < sizeof palette; at++)
        to[at] = rom_byte(from + at);
    level = 0;
    are_weights_stale = true;
}

/* A cell's place on its beam modulo the wave, aligned across the beams. */
static uint8_t phase_of(uint8_t cell)
{
    if (cell >= SUPER_FIRST_CELL + SUPER_BEAM_CELLS)
        cell -= SUPER_FIRST_CELL + SUPER_BEAM_CELLS;
    else if (cell >= SUPER_FIRST_CELL)
        return (cell - SUPER_FIRST_CELL + (LONG_BEAM_CELLS - SUPER_BEAM_CELLS) / 2) % PHASES;
    return cell % LONG_BEAM_CELLS % PHASES;
}

static uint8_t slot_of(uint8_t motion, uint8_t cell)
{
    switch (motion) {
    case MOTION_CHASE_TO_WHITE:
        return SLOT_TO_WHITE + phase_of(cell);
    case MOTION_CHASE_TO_BLACK:
        return SLOT_TO_BLACK + phase_of(cell);
    case MOTION_SPARKLE:
        return SLOT_SPARKLE + (cell * 7 + cell / 8) % PHASES;
    default:
        return motion; /* the first four motions have the first four slots */
    }
}

static void put_light(uint8_t *bank, uint8_t cell, uint8_t light)
{
    if (cell < CELL_COUNT)
        bank[store_led(cell)] = (light & 0xF0) | slot_of(light & 0x0F, cell);
}

/* --- the host's messages --- */

void lights_take_palette(void)
{
    for (uint8_t count = payload_u8(); count; count--) {
        uint8_t *colour = palette[payload_u8() & (PALETTE_SIZE - 1)];
        colour[0] = payload_u8();
        colour[1] = payload_u8();
        colour[2] = payload_u8();
    }
    are_weights_stale = true;
}

static void show_if(uint8_t is_shown, uint8_t shown_level)
{
    if (is_shown)
        lights_show(shown_level);
}

void lights_take_all(void)
{
    uint8_t is_shown = payload_u8(), shown_level = payload_u8(), cell = payload_u8();
    for (uint8_t count = payload_u8(); count; count--) {
        uint8_t light = payload_u8();
        if (cell < CELL_COUNT) /* cells past the last one are left out */
            put_light(hidden, cell++, light);
    }
    show_if(is_shown, shown_level);
}

void lights_take_runs(void)
{
    uint8_t is_shown = payload_u8(), shown_level = payload_u8();
    for (uint8_t runs = payload_u8(); runs; runs--) {
        uint8_t cell = payload_u8(), count = payload_u8(), light = payload_u8();
        for (; count && cell < CELL_COUNT; count--, cell++)
            put_light(hidden, cell, light);
    }
    show_if(is_shown, shown_level);
}

void lights_take_groups(void)
{
    uint8_t is_shown = payload_u8(), shown_level = payload_u8();
    for (uint8_t groups = payload_u8(); groups; groups--) {
        uint8_t light = payload_u8();
        for (uint8_t count = payload_u8(); count; count--)
            put_light(hidden, payload_u8(), light);
    }
    show_if(is_shown, shown_level);
}

void lights_show(uint8_t shown_level)
{
    memcpy(lights_picture.lights, hidden, sizeof hidden);
    level = shown_level;
    are_weights_stale = true;
}

void lights_show_safe(void)
{
    memset(lights_picture.lights, 0, sizeof lights_picture.lights);
    for (uint8_t cell = SUPER_FIRST_CELL; cell < SUPER_FIRST_CELL + SUPER_BEAM_CELLS; cell++)
        put_light(lights_picture.lights, cell, SAFE_LIGHT);
    level = FULL;
    are_weights_stale = true;
}

uint8_t lights_level(void)
{
    return level;
}

/* --- motions --- */

/* a * b / 255 rounded down, for bytes. */
static uint8_t share(uint8_t a, uint8_t b)
{
    uint16_t product = (uint16_t)a * b;
    return (uint8_t)((product + 1 + (product >> 8)) >> 8);
}

static uint8_t above(uint8_t floor, uint8_t value)
{
    return floor + share(FULL - floor, value);
}

/* 0 at phase 0, 255 at its middle; soft at the dark end, where the eye sees steps. */
static uint8_t swell(uint8_t phase)
{
    uint8_t up = phase & 0x80 ? (uint8_t)~phase : phase;
    return share((uint8_t)(up << 1 | up >> 6), (uint8_t)(up << 1 | up >> 6));
}

/* The brightness of a chase's wave: its crest at phase 0, dark on the far side. */
static uint8_t crest(uint8_t phase)
{
    return swell(phase + 0x80);
}

/* The same for everybody who asks with the same step and group, and like chance otherwise. */
static uint8_t glint(uint8_t step, uint8_t group)
{
    uint8_t mixed = (uint8_t)(step * 167 + group * 59 + 13);
    mixed ^= mixed >> 3;
    mixed = (uint8_t)(mixed * 73);
    mixed ^= mixed >> 4;
    return mixed < 160 ? 0 : (uint8_t)((mixed - 160) * 8 / 3); /* mostly dim, now and then a flash */
}

static uint8_t sparkle(uint32_t now, uint8_t group)
{
    uint8_t step = (uint8_t)(now >> 7), part = (uint8_t)((now & 0x7F) << 1);
    uint8_t from = glint(step, group), to = glint(step + 1, group);
    return above(SPARKLE_FLOOR, share(from, (uint8_t)~part) + share(to, part));
}

void lights_move(uint32_t now)
{
    uint8_t *shade = lights_picture.shade;
    uint8_t wave = (uint8_t)(now >> 2); /* a cell each 256 ms */
    uint8_t pulse = (uint8_t)~(now >> 2); /* falls from 255 within a second */
    shade[SLOT_STEADY] = FULL;
    shade[SLOT_BREATHE] = above(BREATHE_FLOOR, swell((uint8_t)(now >> 4))); /* 4.1 s */
    shade[SLOT_BLINK] = now & BLINK_HALF_MS ? 0 : FULL;
    shade[SLOT_PULSE] = above(PULSE_FLOOR, share(pulse, pulse));
    for (uint8_t phase = 0; phase < PHASES; phase++) {
        shade[SLOT_TO_WHITE + phase] = crest(wave - phase * (256 / PHASES));
        shade[SLOT_TO_BLACK + phase] = crest(wave + phase * (256 / PHASES));
        shade[SLOT_SPARKLE + phase] = sparkle(now, phase);
    }
}

/* --- the picture --- */

void lights_dim(uint8_t brightness)
{
    static const uint8_t order[3] = {1, 0, 2}; /* green, red, blue */
    for (uint8_t colour = 0; colour < PALETTE_SIZE; colour++)
        for (uint8_t part = 0; part < 3; part++)
            lights_picture.tint[colour][part] = share(palette[colour][order[part]], brightness);
}

const uint16_t *lights_weights(void)
{
    if (!are_weights_stale)
        return weights;
    are_weights_stale = false;
    memset(weights, 0, sizeof weights);
    for (uint8_t led = 0; led < CELL_COUNT; led++) {
        uint8_t light = lights_picture.lights[led];
        const uint8_t *colour = palette[light >> 4];
        weights[light & 0x0F] += ((uint16_t)colour[0] + colour[1] + colour[2] + 1) / 2;
    }
    return weights;
}

void lights_led(uint8_t led, uint8_t colours[3])
{
    uint8_t light = lights_picture.lights[led];
    uint16_t shade = lights_picture.shade[light & 0x0F] + 1u;
    for (uint8_t part = 0; part < 3; part++)
        colours[part] = (uint8_t)((lights_picture.tint[light >> 4][part] * shade) >> 8);
}
