#include "board.h"
#include "crc.h"
#include "packets.h"
#include "store_image.h"

static enum { IDLE, WRITING_PART, UNMARKING, COPYING, MARKING } job;
static uint16_t job_at;
static uint16_t job_crc;
static uint8_t job_flags; /* of the copy being written */
static uint8_t staged;    /* the order that stays as it lies in the new copy, as a flag */
static bool changes_settings;
static union {
    struct {
        uint8_t variant;
        uint8_t serial[1 + SERIAL_BYTES];
        uint16_t supply_ma;
    } settings;
    struct {
        uint8_t numbers[MOST_ORDER_NUMBERS];
        uint8_t count;
    } part;
} change;

void store_stop_writing(void)
{
    job = IDLE;
}

bool store_is_busy(void)
{
    return job != IDLE;
}

static uint16_t spare_at(void)
{
    return store_used_at ? 0 : STORE_COPY_BYTES;
}

static void begin_copy(uint8_t flags, uint8_t staged_order)
{
    job = UNMARKING;
    job_flags = flags;
    staged = staged_order;
    job_crc = CRC_START;
}

static uint8_t used_flags(void)
{
    return (store_settings.has_led_order ? FLAG_LEDS : 0) | (store_settings.has_sensor_order ? FLAG_SENSORS : 0);
}

bool store_begin_settings(void)
{
    uint8_t variant = store_variant_named();
    uint16_t supply_ma = payload_u16();
    if (variant == VARIANT_NONE || supply_ma < LEAST_SUPPLY_MA || supply_ma > MOST_SUPPLY_MA)
        return false;
    change.settings.variant = variant;
    change.settings.supply_ma = supply_ma;
    uint8_t length = payload_u8();
    change.settings.serial[0] = length;
    for (uint8_t at = 1; at <= SERIAL_BYTES; at++)
        change.settings.serial[at] = at <= length ? payload_u8() : 0;
    changes_settings = true;
    begin_copy(used_flags(), 0);
    return true;
}

static bool order_is_ours(uint8_t order)
{
    return order == ORDER_LEDS || store_has_sensors();
}

static uint16_t order_at(uint8_t order)
{
    return order == ORDER_LEDS ? AT_LEDS : AT_SENSORS;
}

bool store_begin_part(void)
{
    uint8_t order = payload_u8(), cell = payload_u8(), count = payload_u8();
    if (!order_is_ours(order) || count > CELL_COUNT - cell)
        return false;
    change.part.count = count;
    for (uint8_t at = 0; at < count; at++)
        change.part.numbers[at] = payload_u8();
    job = WRITING_PART;
    job_at = order_at(order) + cell;
    return true;
}

/* Whether the order put aside gives each cell a number of its own. */
static bool is_order_whole(uint8_t order)
{
    uint8_t seen[INPUT_BYTES] = {0};
    uint8_t count = order == ORDER_LEDS ? CELL_COUNT : INPUT_COUNT;
    uint16_t from = spare_at() + order_at(order);
    for (uint8_t cell = 0; cell < CELL_COUNT; cell++) {
        uint8_t number = board_kept(from + cell), bit = (uint8_t)(1 << number % 8);
        if (number >= count || seen[number / 8] & bit)
            return false;
        seen[number / 8] |= bit;
    }
    return true;
}

bool store_begin_commit(void)
{
    uint8_t order = payload_u8();
    bool is_default = payload_u8();
    uint8_t flag = order == ORDER_LEDS ? FLAG_LEDS : FLAG_SENSORS;
    if (!order_is_ours(order) || (!is_default && !is_order_whole(order)))
        return false;
    changes_settings = false;
    if (is_default)
        begin_copy(used_flags() & (uint8_t)~flag, 0);
    else
        begin_copy(used_flags() | flag, flag);
    return true;
}

static uint8_t new_byte(uint16_t at)
{
    switch (at) {
    case AT_FORMAT:
        return STORE_FORMAT;
    case AT_GENERATION:
        return store_generation + 1;
    case AT_VARIANT:
        return changes_settings ? change.settings.variant : store_settings.variant;
    case AT_FLAGS:
        return job_flags;
    case AT_SUPPLY:
    case AT_SUPPLY + 1: {
        uint16_t supply_ma = changes_settings ? change.settings.supply_ma : store_settings.supply_ma;
        return (uint8_t)(at == AT_SUPPLY ? supply_ma : supply_ma >> 8);
    }
    default:
        break;
    }
    if (at >= AT_CRC)
        return (uint8_t)(at == AT_CRC ? job_crc : job_crc >> 8);
    if (at < AT_LEDS)
        return changes_settings ? change.settings.serial[at - AT_SERIAL] : board_kept(store_used_at + at);
    bool is_led = at < AT_SENSORS;
    uint8_t flag = is_led ? FLAG_LEDS : FLAG_SENSORS;
    if (staged & flag)
        return board_kept(spare_at() + at);
    if (is_led)
        return store_led((uint8_t)(at - AT_LEDS));
    return store_has_sensors() ? store_sensor((uint8_t)(at - AT_SENSORS)) : 0;
}

enum store_news store_turn(void)
{
    if (job == IDLE || !board_keeps())
        return STORE_NOTHING;
    uint16_t copy = spare_at();
    switch (job) {
    case WRITING_PART:
        if (board_kept(copy + AT_MARK) == STORE_MARK) { /* no longer a whole copy */
            board_keep(copy + AT_MARK, 0);
            return STORE_NOTHING;
        }
        if (change.part.count) {
            change.part.count--;
            store_keep(copy + job_at + change.part.count, change.part.numbers[change.part.count]);
            return STORE_NOTHING;
        }
        job = IDLE;
        return STORE_PART_WRITTEN;
    case UNMARKING:
        store_keep(copy + AT_MARK, 0);
        job = COPYING;
        job_at = AT_FORMAT;
        break;
    case COPYING: {
        uint8_t byte = new_byte(job_at);
        if (job_at < AT_CRC)
            job_crc = crc_add(job_crc, byte);
        store_keep(copy + job_at, byte);
        if (++job_at == AT_END)
            job = MARKING;
        break;
    }
    case MARKING:
        board_keep(copy + AT_MARK, STORE_MARK);
        job = IDLE;
        return STORE_COMMITTED;
    default:
        break;
    }
    return STORE_NOTHING;
}
