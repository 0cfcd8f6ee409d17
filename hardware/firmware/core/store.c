#include "store.h"

#include "board.h"
#include "crc.h"
#include "packets.h"
#include "rom.h"
#include "store_image.h"

#ifndef DEFAULT_VARIANT
#define DEFAULT_VARIANT VARIANT_MAGNET
#endif

static const uint8_t led_board_leds[CELL_COUNT] ROM = {BOARD_LED_LEDS};
static const uint8_t magnet_board_leds[CELL_COUNT] ROM = {BOARD_MAGNET_LEDS};
static const uint8_t magnet_board_sensors[CELL_COUNT] ROM = {BOARD_MAGNET_SENSORS};
static const char led_name[] ROM = BOARD_LED_NAME;
static const char magnet_name[] ROM = BOARD_MAGNET_NAME;
static const char unset_serial[] ROM = "unset";

struct settings store_settings;
uint16_t store_used_at;
uint8_t store_generation;

static bool is_whole(uint16_t copy)
{
    if (board_kept(copy + AT_MARK) != STORE_MARK || board_kept(copy + AT_FORMAT) != STORE_FORMAT)
        return false;
    uint16_t crc = CRC_START;
    for (uint16_t at = AT_FORMAT; at < AT_CRC; at++)
        crc = crc_add(crc, board_kept(copy + at));
    if (crc != (board_kept(copy + AT_CRC) | (uint16_t)board_kept(copy + AT_CRC + 1) << 8))
        return false;
    uint8_t variant = board_kept(copy + AT_VARIANT);
    return variant > VARIANT_NONE && variant < VARIANT_COUNT;
}

void store_keep(uint16_t address, uint8_t byte)
{
    if (board_kept(address) != byte)
        board_keep(address, byte);
}

static uint16_t count_boot(void)
{
    uint16_t boot = (board_kept(STORE_BOOT_AT) | (uint16_t)board_kept(STORE_BOOT_AT + 1) << 8) + 1u;
    while (!board_keeps()) {
    }
    store_keep(STORE_BOOT_AT, (uint8_t)boot);
    while (!board_keeps()) {
    }
    store_keep(STORE_BOOT_AT + 1, (uint8_t)(boot >> 8));
    return boot;
}

uint16_t store_start(void)
{
    struct settings *settings = &store_settings;
    bool first = is_whole(0), second = is_whole(STORE_COPY_BYTES);
    int8_t ahead = (int8_t)(board_kept(STORE_COPY_BYTES + AT_GENERATION) - board_kept(AT_GENERATION));
    store_used_at = second && (!first || ahead > 0) ? STORE_COPY_BYTES : 0;
    store_stop_writing();
    settings->good_copies = first + second;
    settings->is_confirmed = first || second;
    if (settings->is_confirmed) {
        uint8_t flags = board_kept(store_used_at + AT_FLAGS);
        store_generation = board_kept(store_used_at + AT_GENERATION);
        settings->variant = board_kept(store_used_at + AT_VARIANT);
        settings->has_led_order = flags & FLAG_LEDS;
        settings->has_sensor_order = flags & FLAG_SENSORS;
        settings->supply_ma = board_kept(store_used_at + AT_SUPPLY) | (uint16_t)board_kept(store_used_at + AT_SUPPLY + 1) << 8;
    } else {
        store_generation = 0;
        settings->variant = DEFAULT_VARIANT;
        settings->has_led_order = settings->has_sensor_order = false;
        settings->supply_ma = DEFAULT_VARIANT == VARIANT_LED ? BOARD_LED_SUPPLY_MA : BOARD_MAGNET_SUPPLY_MA;
    }
    return count_boot();
}

uint16_t store_reserve_ma(void)
{
    return store_settings.variant == VARIANT_LED ? BOARD_LED_RESERVE_MA : BOARD_MAGNET_RESERVE_MA;
}

const char *store_variant_name(void)
{
    return store_settings.variant == VARIANT_LED ? led_name : magnet_name;
}

bool store_has_sensors(void)
{
    return store_settings.variant == VARIANT_MAGNET;
}

void store_put_serial(struct draft *draft)
{
    uint8_t length = store_settings.is_confirmed ? board_kept(store_used_at + AT_SERIAL) : 0xFF;
    if (length > SERIAL_BYTES) {
        put_text(draft, unset_serial);
        return;
    }
    for (uint8_t at = 0; at <= length; at++)
        put_u8(draft, board_kept(store_used_at + AT_SERIAL + at));
}

static uint8_t default_led(uint8_t cell)
{
    return rom_byte((store_settings.variant == VARIANT_LED ? led_board_leds : magnet_board_leds) + cell);
}

uint8_t store_led(uint8_t cell)
{
    uint8_t led = store_settings.has_led_order ? board_kept(store_used_at + AT_LEDS + cell) : default_led(cell);
    return led < CELL_COUNT ? led : 0;
}

uint8_t store_sensor(uint8_t cell)
{
    if (store_settings.has_sensor_order)
        return board_kept(store_used_at + AT_SENSORS + cell);
    return rom_byte(magnet_board_sensors + cell);
}

uint8_t store_variant_named(void)
{
    uint8_t length = payload_u8();
    bool is_led = length == sizeof led_name - 1, is_magnet = length == sizeof magnet_name - 1;
    for (uint8_t at = 0; at < length; at++) {
        uint8_t sign = payload_u8();
        is_led = is_led && sign == rom_byte(led_name + at);
        is_magnet = is_magnet && sign == rom_byte(magnet_name + at);
    }
    if (is_led)
        return VARIANT_LED;
    return is_magnet ? VARIANT_MAGNET : VARIANT_NONE;
}
