#include "changes.h"

#include "packets.h"
#include "protocol.h"

#define MOST_EVENTS 48

static struct {
    uint8_t cell;
    uint16_t ms;
} events[MOST_EVENTS];
static uint8_t event_is_on[(MOST_EVENTS + 7) / 8];
static uint8_t oldest, count;
static uint16_t next;
static uint16_t dropped;

void changes_start(void)
{
    oldest = count = 0;
    next = dropped = 0;
}

static void drop_oldest(void)
{
    oldest = (oldest + 1) % MOST_EVENTS;
    count--;
}

void changes_note(uint8_t cell, bool is_on, uint16_t ms)
{
    if (count == MOST_EVENTS) {
        drop_oldest();
        count_up(&dropped, 1);
    }
    uint8_t at = (oldest + count++) % MOST_EVENTS, bit = (uint8_t)(1 << at % 8);
    events[at].cell = cell;
    events[at].ms = ms;
    if (is_on)
        event_is_on[at / 8] |= bit;
    else
        event_is_on[at / 8] &= (uint8_t)~bit;
    next++;
}

bool changes_wait(void)
{
    return count;
}

void changes_forget(void)
{
    count = 0;
}

uint16_t changes_next(void)
{
    return next;
}

uint16_t changes_first(void)
{
    return next - count;
}

void changes_put(struct draft *draft, uint32_t now)
{
    uint16_t began = events[oldest].ms;
    uint8_t told = count < MOST_CHANGES ? count : MOST_CHANGES;
    put_u32(draft, now - (uint16_t)((uint16_t)now - began));
    put_u16(draft, changes_first());
    put_u8(draft, told);
    while (told--) {
        put_u8(draft, events[oldest].cell);
        put_u8(draft, event_is_on[oldest / 8] >> oldest % 8 & 1);
        put_u16(draft, events[oldest].ms - began);
        drop_oldest();
    }
}

uint16_t changes_dropped(void)
{
    return dropped;
}
