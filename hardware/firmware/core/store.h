/* The stored settings: variant, supply, serial number, LED and sensor order; two copies, each with its CRC.
 *
 * Rules of this file: no registers. The copy in use is never written to. A new one is written beside it, marked as
 * whole only by its very last byte, and taken into use by the restart that follows: power may fail at any moment.
 *
 *     offset  0  mark          'C' when whole
 *             1  format        1
 *             2  generation    counts round; the newer whole copy counts
 *             3  variant       its number below
 *             4  flags         bit 0 own LED order, bit 1 own sensor order
 *             5  supply u16    mA
 *             7  serial        length, 16 signs
 *            24  LED order     139 bytes, by cell
 *           163  sensor order  139 bytes, by cell
 *           302  CRC u16       over bytes 1 to 301
 *
 * Writing takes 3.4 ms a byte, so it is done a byte a turn while everything else goes on.
 */
#ifndef COWBOARD_STORE_H
#define COWBOARD_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

enum variant { VARIANT_NONE, VARIANT_LED, VARIANT_MAGNET, VARIANT_COUNT };

#define SERIAL_BYTES 16
#define LEAST_SUPPLY_MA 500
#define MOST_SUPPLY_MA 20000

struct settings {
    uint8_t variant;
    bool is_confirmed; /* stored, and not just what the firmware was built for */
    bool has_led_order;
    bool has_sensor_order;
    uint8_t good_copies;
    uint16_t supply_ma;
};

extern struct settings store_settings;

/* Finds the newer whole copy; counts this start. Returns its number, different after every start. */
uint16_t store_start(void);

uint16_t store_reserve_ma(void);
const char *store_variant_name(void); /* in ROM */
bool store_has_sensors(void);
void store_put_serial(struct draft *draft);

/* The LED and the input that belong to a cell. */
uint8_t store_led(uint8_t cell);
uint8_t store_sensor(uint8_t cell);

/* Begin to write; they read the host's message. False: not possible. Nothing may be begun while the store is busy. */
bool store_begin_settings(void);
bool store_begin_part(void);
bool store_begin_commit(void);
bool store_is_busy(void);

/* Writes on. What has just been finished, if anything. */
enum store_news { STORE_NOTHING, STORE_PART_WRITTEN, STORE_COMMITTED };
enum store_news store_turn(void);

#endif
