#include "upkeep.h"

#include "board.h"
#include "changes.h"
#include "packets.h"
#include "power.h"
#include "protocol.h"
#include "scan.h"
#include "store.h"
#include "supply.h"

#define SECOND_MS 1000

enum { OWES_SETTINGS = 1, OWES_ORDER = 2, OWES_DIAGNOSTICS = 4, OWES_QUALITY = 8 };

static uint8_t owed;
static uint8_t wanted_order, wanted_order_cell, wanted_quality_cell;
static bool shall_restart;
static struct pace counting, counted;
static uint16_t second_ms;

void upkeep_start(void)
{
    owed = 0;
    shall_restart = false;
    counting = counted = (struct pace){0, 0, 0};
    second_ms = 0;
}

void upkeep_host_came(void)
{
    owed = 0;
}

static outcome_t begun(bool is_possible)
{
    return is_possible ? GOES_ON : REFUSED(REFUSAL_NOT_POSSIBLE);
}

static outcome_t owe(uint8_t answer)
{
    owed |= answer;
    return DONE;
}

static outcome_t take_order_request(void)
{
    wanted_order = payload_u8();
    wanted_order_cell = payload_u8();
    if (wanted_order == ORDER_SENSORS && !store_has_sensors())
        return REFUSED(REFUSAL_NOT_POSSIBLE);
    return owe(OWES_ORDER);
}

outcome_t upkeep_take(uint8_t number)
{
    switch (number) {
    case MESSAGE_SETTINGS_REQUEST:
        return owe(OWES_SETTINGS);
    case MESSAGE_ORDER_REQUEST:
        return take_order_request();
    case MESSAGE_DIAGNOSTICS_REQUEST:
        return owe(OWES_DIAGNOSTICS);
    case MESSAGE_QUALITY_REQUEST:
        wanted_quality_cell = payload_u8();
        return store_has_sensors() ? owe(OWES_QUALITY) : REFUSED(REFUSAL_NOT_POSSIBLE);
    case MESSAGE_RESTART:
        shall_restart = true;
        return DONE;
    case MESSAGE_SETTINGS_WRITE:
        return store_is_busy() ? NOT_NOW : begun(store_begin_settings());
    case MESSAGE_ORDER_WRITE:
        return store_is_busy() ? NOT_NOW : begun(store_begin_part());
    case MESSAGE_ORDER_COMMIT:
        return store_is_busy() ? NOT_NOW : begun(store_begin_commit());
    default:
        return REFUSED(REFUSAL_NOT_POSSIBLE); /* a buzzer, which this board hasn't */
    }
}

static void put_settings(struct draft *draft)
{
    put_text(draft, store_variant_name());
    put_u8(draft, store_settings.is_confirmed);
    put_u16(draft, store_settings.supply_ma);
    store_put_serial(draft);
    put_u8(draft, store_settings.has_led_order);
    put_u8(draft, store_settings.has_sensor_order);
    put_u8(draft, store_settings.good_copies);
}

static void put_order(struct draft *draft)
{
    uint8_t cell = wanted_order_cell, count = CELL_COUNT - cell;
    if (count > MOST_ORDER_NUMBERS)
        count = MOST_ORDER_NUMBERS;
    put_u8(draft, wanted_order);
    put_u8(draft, cell);
    put_u8(draft, count);
    for (; count; count--, cell++)
        put_u8(draft, wanted_order == ORDER_LEDS ? store_led(cell) : store_sensor(cell));
}

static void put_diagnostics(struct draft *draft, uint32_t now)
{
    put_u32(draft, now);
    put_u16(draft, board_stack_free());
    put_u16(draft, packet_counts.good);
    put_u16(draft, packet_counts.dropped);
    put_u16(draft, connection_resends());
    put_u16(draft, board_overruns());
    put_u16(draft, board_framing_errors());
    put_u16(draft, packet_counts.memory_full);
    put_u16(draft, changes_dropped());
    put_u8(draft, counted.pictures);
    put_u16(draft, counted.scans);
    put_u16(draft, counting.picture_us);
    put_u16(draft, power_lights_ma());
    put_u16(draft, power_budget_ma());
    put_u8(draft, supply_percent());
}

uint8_t upkeep_answer(struct draft *draft, uint32_t now)
{
    uint8_t answer = owed & (uint8_t)-owed; /* the lowest bit */
    owed ^= answer;
    switch (answer) {
    case OWES_SETTINGS:
        put_settings(draft);
        return MESSAGE_SETTINGS;
    case OWES_ORDER:
        put_order(draft);
        return MESSAGE_ORDER_PART;
    case OWES_DIAGNOSTICS:
        put_diagnostics(draft, now);
        return MESSAGE_DIAGNOSTICS;
    case OWES_QUALITY:
        scan_put_quality(draft, wanted_quality_cell);
        return MESSAGE_CELL_QUALITY;
    default:
        return 0;
    }
}

void upkeep_count_scan(void)
{
    counting.scans++;
}

void upkeep_count_picture(uint16_t length_us)
{
    counting.pictures++;
    counting.picture_us = length_us;
}

bool upkeep_turn(uint32_t now)
{
    if ((uint16_t)((uint16_t)now - second_ms) >= SECOND_MS) {
        second_ms += SECOND_MS;
        counted = counting;
        counting.scans = counting.pictures = 0;
    }
    enum store_news news = store_turn();
    if (news != STORE_NOTHING)
        connection_work_is_over();
    if (news == STORE_COMMITTED)
        shall_restart = true;
    return shall_restart;
}
