#include "cowboard.h"

#include "board.h"
#include "changes.h"
#include "connection.h"
#include "lights.h"
#include "power.h"
#include "protocol.h"
#include "scan.h"
#include "store.h"
#include "supply.h"
#include "upkeep.h"

#define PICTURE_MS 15     /* 66 pictures a second */
#define PICTURE_WAITS_MS 4 /* at most, for a packet or a change: then still 52 a second */
#define PLAN_PAUSE_MS 3   /* between two messages of a plan, when the next is on its way */
#define BUTTON_MS 10      /* a button that is held so long doesn't bounce any more */

static uint8_t boot_reason;
static uint16_t boot;
static bool is_lit;           /* a host has confirmed the variant, or it is stored */
static bool is_picture_asked; /* by a message that is acknowledged when it is shown */
static uint16_t picture_ms;   /* when the next is due */
static uint16_t plan_ms;      /* when a part of a plan came last */
static uint16_t scanned_ms;
static bool owes_snapshot;
static uint16_t told_before; /* changes with lower numbers are told before the snapshot */
static bool is_sag_told;

static struct {
    bool is_down;
    bool is_told;
    uint16_t since_ms;
    uint16_t pressed_ms;
} button;

void cowboard_start(uint8_t reason)
{
    boot_reason = reason;
    packets_start();
    boot = store_start();
    power_start(store_settings.supply_ma, store_reserve_ma());
    lights_start();
    scan_start();
    supply_start();
    upkeep_start();
    is_lit = store_settings.is_confirmed;
    is_picture_asked = owes_snapshot = is_sag_told = false;
    button.is_down = false;
    button.is_told = true;
    uint32_t now = board_ms();
    scanned_ms = (uint16_t)(now - 1);
    picture_ms = plan_ms = button.since_ms = (uint16_t)now;
    connection_start(now);
}

/* --- what the connection calls --- */

void work_describe(struct draft *hello)
{
    uint16_t capabilities = CAN_LIGHTS | CAN_BUTTON | CAN_SETTINGS;
    if (store_has_sensors())
        capabilities |= CAN_SENSORS;
    if (supply_is_measured())
        capabilities |= CAN_SUPPLY_SENSE;
    if (!store_settings.is_confirmed)
        capabilities |= CAN_UNCONFIRMED;
    put_u16(hello, boot);
    put_u8(hello, boot_reason);
    put_text(hello, store_variant_name());
    put_u16(hello, capabilities);
    put_u8(hello, CELL_COUNT);
    put_u16(hello, store_settings.supply_ma);
    store_put_serial(hello);
    put_text(hello, board_build);
}

void work_session_began(void)
{
    owes_snapshot = false;
    is_picture_asked = false;
    button.is_told = true;
    is_sag_told = false;
    scan_host_came();
    upkeep_host_came();
}

void work_host_lost(void)
{
    is_picture_asked = false;
    lights_show_safe();
}

static outcome_t after_lights(uint8_t is_shown)
{
    if (!is_shown)
        return DONE;
    is_picture_asked = true;
    return GOES_ON;
}

outcome_t work_take(uint8_t number, uint32_t now)
{
    uint8_t first = payload_left() ? payload_u8() : 0;
    payload_rewind();
    switch (number) {
    case MESSAGE_SNAPSHOT_REQUEST:
        owes_snapshot = true;
        told_before = changes_next();
        return DONE;
    case MESSAGE_PALETTE: /* whoever tells colours has read in the hello which variant this is, and drives it */
        is_lit = true;
        lights_take_palette();
        return DONE;
    case MESSAGE_LIGHTS_ALL:
        lights_take_all();
        break;
    case MESSAGE_LIGHTS_RUNS:
        lights_take_runs();
        break;
    case MESSAGE_LIGHTS_GROUPS:
        lights_take_groups();
        break;
    case MESSAGE_LIGHTS_SHOW:
        lights_show(payload_u8());
        first = true;
        break;
    default:
        return upkeep_take(number);
    }
    plan_ms = (uint16_t)now;
    return after_lights(first);
}

/* --- news for the host --- */

static uint8_t put_button(struct draft *draft, uint32_t now)
{
    button.is_told = true;
    put_u8(draft, BUTTON_DONE);
    put_u32(draft, now - (uint16_t)((uint16_t)now - button.pressed_ms));
    return MESSAGE_BUTTON_PRESSED;
}

static uint8_t put_sag(struct draft *draft, uint32_t now)
{
    is_sag_told = supply_sags();
    put_u8(draft, FAULT_SUPPLY_LOW);
    put_u8(draft, 0xFF); /* no cell */
    put_u8(draft, !is_sag_told);
    put_u32(draft, now);
    return MESSAGE_FAULT_SEEN;
}

static bool snapshot_is_due(void)
{
    if (!owes_snapshot || (store_has_sensors() && !scan_has_begun()))
        return false;
    return !changes_wait() || (int16_t)(changes_first() - told_before) >= 0;
}

/* Writes the most pressing message there is; its number, or 0. */
static uint8_t put_news(struct draft *draft, uint32_t now)
{
    if (snapshot_is_due()) {
        owes_snapshot = false;
        scan_put_snapshot(draft, now);
        return MESSAGE_SNAPSHOT;
    }
    if (changes_wait()) {
        changes_put(draft, now);
        return MESSAGE_CELLS_CHANGED;
    }
    if (!button.is_told)
        return put_button(draft, now);
    if (supply_sags() != is_sag_told)
        return put_sag(draft, now);
    if (scan_put_fault(draft, now))
        return MESSAGE_FAULT_SEEN;
    return upkeep_answer(draft, now);
}

/* --- the world --- */

static void watch_button(uint16_t ms)
{
    if (board_button_is_down() == button.is_down) {
        button.since_ms = ms;
        return;
    }
    if ((uint16_t)(ms - button.since_ms) < BUTTON_MS)
        return;
    button.is_down = !button.is_down;
    if (button.is_down) {
        button.is_told = false;
        button.pressed_ms = button.since_ms;
    }
}

static void look(uint32_t now)
{
    uint16_t ms = (uint16_t)now;
    if (ms == scanned_ms)
        return;
    scanned_ms = ms;
    watch_button(ms);
    if (store_has_sensors()) {
        uint8_t inputs[INPUT_BYTES];
        board_read_inputs(inputs);
        scan_take(inputs, now);
        upkeep_count_scan();
    }
    if (supply_turn(now))
        power_sags(supply_sags());
}

static bool picture_is_due(uint16_t ms)
{
    int16_t late_ms = (int16_t)(ms - picture_ms);
    if (is_picture_asked || late_ms >= PICTURE_WAITS_MS)
        return true;
    if (late_ms < 0)
        return false;
    bool is_plan_coming = (uint16_t)(ms - plan_ms) < PLAN_PAUSE_MS;
    return !is_plan_coming && !packets_is_coming() && !scan_is_settling() && board_has_written();
}

static void show_picture(uint32_t now)
{
    uint16_t ms = (uint16_t)now;
    picture_ms = ms + PICTURE_MS;
    lights_move(now);
    uint8_t level = is_lit ? lights_level() : 0;
    lights_dim(power_brightness(lights_weights(), lights_picture.shade, level));
    upkeep_count_picture(board_show(&lights_picture));
    if (is_picture_asked) {
        is_picture_asked = false;
        connection_work_is_over();
    }
}

void cowboard_turn(void)
{
    struct packet packet;
    uint32_t now = board_ms();
    if (packets_take(&packet)) {
        connection_take(&packet, now);
        packets_release();
    }
    connection_turn(now);
    look(now);
    if (connection_is_free()) {
        struct draft *draft = connection_draft();
        uint8_t number = put_news(draft, now);
        if (number)
            connection_send(number, now);
    }
    if (picture_is_due((uint16_t)now))
        show_picture(now);
    if (upkeep_turn(now) && board_has_written())
        board_restart();
}
