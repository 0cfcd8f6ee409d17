#include "scan.h"

#include <string.h>

#include "changes.h"
#include "protocol.h"
#include "store.h"
#include "watch.h"

#define NO_CELL 0xFF
#define CHATTER_EDGES 24
#define QUIET_LEVEL 12 /* of a chattering input's bucket after an edge: a second's leak */
#define LEAK_MS 83
#define POLARITY_MS 1000

enum { LEVEL = 0x3F, CHATTERS = 0x40, CHATTER_TOLD = 0x80 };

static uint8_t raw[INPUT_BYTES];
static uint8_t debounced[INPUT_BYTES];
static uint8_t settling[INPUT_BYTES];
static uint8_t edge_ms[INPUT_COUNT];
static uint8_t buckets[INPUT_COUNT];
static uint8_t flickers[INPUT_COUNT];
static uint8_t inverted; /* 0xFF: a free input is high */
static bool has_begun;
static bool is_settling;
static uint16_t leaked_ms;
static uint16_t looked_ms;

static struct trouble extra, extra_told;

static uint8_t mask_of(uint8_t input)
{
    return (uint8_t)(0x80 >> (input & 7));
}

static bool is_set(const uint8_t *bits, uint8_t input)
{
    return bits[input >> 3] & mask_of(input);
}

void scan_start(void)
{
    memset(debounced, 0, sizeof debounced);
    memset(settling, 0, sizeof settling);
    memset(buckets, 0, sizeof buckets);
    memset(flickers, 0, sizeof flickers);
    has_begun = is_settling = false;
    changes_start();
    extra.fault = extra_told.fault = 0;
    watch_start();
}

static uint8_t cell_of(uint8_t input)
{
    for (uint8_t cell = 0; cell < CELL_COUNT; cell++)
        if (store_sensor(cell) == input)
            return cell;
    return NO_CELL;
}

/* --- changes --- */

static void note_change(uint8_t input, bool is_on, uint16_t ms)
{
    uint8_t cell = cell_of(input);
    if (cell == NO_CELL)
        return;
    watch_note(cell, is_on);
    changes_note(cell, is_on, ms);
}

static void note_edge(uint8_t input, uint8_t ms)
{
    edge_ms[input] = ms;
    settling[input >> 3] |= mask_of(input);
    uint8_t bucket = buckets[input];
    if (bucket & CHATTERS) {
        buckets[input] = (bucket & (uint8_t)~LEVEL) | QUIET_LEVEL;
    } else if ((bucket & LEVEL) >= CHATTER_EDGES) {
        buckets[input] = (bucket & (uint8_t)~LEVEL) | CHATTERS | QUIET_LEVEL;
    } else {
        buckets[input]++;
    }
    if (is_set(raw, input) == is_set(debounced, input) && flickers[input] < UINT8_MAX)
        flickers[input]++; /* it went and came back before it was taken */
}

static void take_edges(const uint8_t *inputs, uint8_t ms)
{
    for (uint8_t byte = 0; byte < INPUT_BYTES; byte++) {
        uint8_t now = inputs[byte] ^ inverted, turned = now ^ raw[byte];
        if (!turned)
            continue;
        raw[byte] = now;
        for (uint8_t bit = 0; bit < 8; bit++)
            if (turned & mask_of(bit))
                note_edge(byte * 8 + bit, ms);
    }
}

/* The input that has stood still for longest, and for long enough; sets `is_settling` to whether others are waiting. */
static uint8_t next_settled(uint8_t ms)
{
    uint8_t found = NO_CELL, longest = DEBOUNCE_MS;
    is_settling = false;
    for (uint8_t byte = 0; byte < INPUT_BYTES; byte++) {
        if (!settling[byte])
            continue;
        for (uint8_t input = byte * 8; input < byte * 8 + 8; input++) {
            if (!is_set(settling, input) || buckets[input] & CHATTERS)
                continue;
            uint8_t age = ms - edge_ms[input];
            if (age < DEBOUNCE_MS)
                is_settling = true;
            if (age >= longest && (found == NO_CELL || age > longest)) {
                found = input;
                longest = age;
            }
        }
    }
    return found;
}

static void take_settled(uint32_t now)
{
    for (uint8_t input; (input = next_settled((uint8_t)now)) != NO_CELL;) {
        uint8_t age = (uint8_t)((uint8_t)now - edge_ms[input]);
        settling[input >> 3] &= (uint8_t)~mask_of(input);
        if (is_set(raw, input) == is_set(debounced, input))
            continue;
        debounced[input >> 3] ^= mask_of(input);
        note_change(input, is_set(raw, input), (uint16_t)(now - age));
    }
}

static void leak(void)
{
    for (uint8_t input = 0; input < INPUT_COUNT; input++) {
        uint8_t bucket = buckets[input];
        if (bucket & LEVEL)
            buckets[input] = --bucket;
        if (!(bucket & LEVEL))
            buckets[input] &= (uint8_t)~CHATTERS;
        else if (bucket & CHATTERS && !is_set(settling, input))
            settling[input >> 3] |= mask_of(input);
    }
}

/* --- the whole --- */

static bool are_most_set(const uint8_t *bits)
{
    uint8_t count = 0;
    for (uint8_t input = 0; input < INPUT_COUNT; input++)
        count += is_set(bits, input);
    return count > INPUT_COUNT / 2;
}

static void begin(const uint8_t *inputs)
{
    has_begun = true;
    inverted = are_most_set(inputs) ? 0xFF : 0;
    for (uint8_t byte = 0; byte < INPUT_BYTES; byte++)
        raw[byte] = debounced[byte] = inputs[byte] ^ inverted;
    for (uint8_t cell = 0; cell < CELL_COUNT; cell++)
        if (is_set(debounced, store_sensor(cell)))
            watch_note(cell, true);
}

void scan_take(const uint8_t inputs[INPUT_BYTES], uint32_t now)
{
    if (!has_begun) {
        begin(inputs);
        looked_ms = leaked_ms = (uint16_t)now;
    }
    if ((uint16_t)((uint16_t)now - looked_ms) >= POLARITY_MS) {
        looked_ms = (uint16_t)now;
        if (are_most_set(debounced))
            inverted ^= 0xFF; /* the switches had no supply yet when they were first looked at */
    }
    take_edges(inputs, (uint8_t)now);
    take_settled(now);
    if ((uint16_t)((uint16_t)now - leaked_ms) >= LEAK_MS) {
        leaked_ms += LEAK_MS;
        leak();
    }
    extra = watch_turn(now);
}

bool scan_is_settling(void)
{
    return is_settling || changes_wait();
}

bool scan_has_begun(void)
{
    return has_begun;
}

/* --- what is told --- */

void scan_host_came(void)
{
    changes_forget();
    extra_told.fault = 0;
    for (uint8_t input = 0; input < INPUT_COUNT; input++)
        buckets[input] &= (uint8_t)~CHATTER_TOLD;
}

static void put_cells(struct draft *draft, bool (*has)(uint8_t input))
{
    uint8_t byte = 0;
    for (uint8_t cell = 0; cell < CELL_COUNT; cell++) {
        if (has(store_sensor(cell)))
            byte |= (uint8_t)(1 << cell % 8);
        if (cell % 8 == 7 || cell == CELL_COUNT - 1) {
            put_u8(draft, byte);
            byte = 0;
        }
    }
}

static bool is_occupied(uint8_t input)
{
    return store_has_sensors() && is_set(debounced, input);
}

static bool chatters(uint8_t input)
{
    return buckets[input] & CHATTERS;
}

void scan_put_snapshot(struct draft *draft, uint32_t now)
{
    changes_forget();
    put_u32(draft, now);
    put_u16(draft, changes_next());
    put_cells(draft, is_occupied);
}

static void put_fault(struct draft *draft, struct trouble trouble, bool is_over, uint32_t now)
{
    put_u8(draft, trouble.fault);
    put_u8(draft, trouble.cell);
    put_u8(draft, is_over);
    put_u32(draft, now);
}

bool scan_put_fault(struct draft *draft, uint32_t now)
{
    if (extra_told.fault && (extra.fault != extra_told.fault || extra.cell != extra_told.cell)) {
        put_fault(draft, extra_told, true, now);
        extra_told.fault = 0;
        return true;
    }
    if (extra.fault && !extra_told.fault) {
        extra_told = extra;
        put_fault(draft, extra, false, now);
        return true;
    }
    for (uint8_t input = 0; input < INPUT_COUNT; input++) {
        uint8_t bucket = buckets[input];
        if (!(bucket & CHATTERS) == !(bucket & CHATTER_TOLD))
            continue;
        buckets[input] = bucket ^ CHATTER_TOLD;
        struct trouble trouble = {FAULT_CHATTER, cell_of(input)};
        if (trouble.cell == NO_CELL)
            continue;
        put_fault(draft, trouble, !(bucket & CHATTERS), now);
        return true;
    }
    return false;
}

void scan_put_quality(struct draft *draft, uint8_t first_cell)
{
    uint8_t count = CELL_COUNT - first_cell;
    if (count > MOST_QUALITY_CELLS)
        count = MOST_QUALITY_CELLS;
    put_u8(draft, first_cell);
    put_u8(draft, count);
    for (uint8_t cell = first_cell; cell < first_cell + count; cell++)
        put_u8(draft, flickers[store_sensor(cell)]);
    put_cells(draft, chatters);
}
