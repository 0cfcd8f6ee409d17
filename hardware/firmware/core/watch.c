#include "watch.h"

#include <string.h>

#include "protocol.h"

#define EXTRA_MS 2000
#define STUCK_CELLS 2   /* the cow left one cell and arrived on another: it can't have been this one */
#define MOST_WATCHED 14 /* a board with more occupied cells has lost its supply rather than a switch */
#define NO_CELL 0xFF

/* Occupied cells, the newest last, and what changed on their beam meanwhile. */
static struct {
    uint8_t cell;
    uint8_t last_changed;
    uint8_t changed_count; /* different from the one before */
} watched[MOST_WATCHED];
static uint8_t count;
static uint8_t unwatched; /* occupied beyond the memory */
static bool is_extra;
static uint16_t extra_since;
static struct trouble named;

void watch_start(void)
{
    count = unwatched = 0;
    is_extra = false;
    named.fault = 0;
}

static uint8_t beam_of(uint8_t cell)
{
    if (cell < SUPER_FIRST_CELL)
        return cell / LONG_BEAM_CELLS;
    if (cell < SUPER_FIRST_CELL + SUPER_BEAM_CELLS)
        return SUPER_FIRST_CELL / LONG_BEAM_CELLS;
    return (uint8_t)(1 + (cell - SUPER_BEAM_CELLS) / LONG_BEAM_CELLS);
}

static void forget(uint8_t cell)
{
    for (uint8_t at = 0; at < count; at++) {
        if (watched[at].cell == cell) {
            count--;
            memmove(&watched[at], &watched[at + 1], (uint8_t)(count - at) * sizeof *watched);
            return;
        }
    }
    if (unwatched)
        unwatched--;
}

void watch_note(uint8_t cell, bool is_on)
{
    uint8_t beam = beam_of(cell);
    for (uint8_t at = 0; at < count; at++) {
        if (watched[at].cell != cell && beam_of(watched[at].cell) == beam && watched[at].last_changed != cell) {
            watched[at].last_changed = cell;
            if (watched[at].changed_count < UINT8_MAX)
                watched[at].changed_count++;
        }
    }
    if (!is_on) {
        forget(cell);
    } else if (count < MOST_WATCHED) {
        watched[count].cell = cell;
        watched[count].last_changed = NO_CELL;
        watched[count++].changed_count = 0;
    } else {
        unwatched++;
    }
}

static bool is_shared(uint8_t at)
{
    for (uint8_t other = 0; other < count; other++)
        if (other != at && beam_of(watched[other].cell) == beam_of(watched[at].cell))
            return true;
    return false;
}

static struct trouble suspect(void)
{
    uint8_t last = 0, stuck = 0xFF;
    for (uint8_t at = 0; at < count; at++) {
        if (!is_shared(at))
            continue;
        last = at;
        if (stuck == 0xFF || watched[at].changed_count > watched[stuck].changed_count)
            stuck = at;
    }
    struct trouble found = {FAULT_GHOST, watched[last].cell};
    if (stuck != 0xFF && watched[stuck].changed_count >= STUCK_CELLS) {
        found.fault = FAULT_STUCK;
        found.cell = watched[stuck].cell;
    }
    return found;
}

struct trouble watch_turn(uint32_t now)
{
    if ((uint16_t)count + unwatched <= COW_COUNT) {
        is_extra = false;
        named.fault = 0;
    } else if (!is_extra) {
        is_extra = true;
        extra_since = (uint16_t)now;
    } else if (!named.fault && (uint16_t)((uint16_t)now - extra_since) >= EXTRA_MS) {
        named = suspect();
    }
    return named;
}
