/* How the settings lie in kept memory; see store.h. For store.c, which reads, and store_write.c. */
#ifndef COWBOARD_STORE_IMAGE_H
#define COWBOARD_STORE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "store.h"

#define STORE_MARK 'C'
#define STORE_FORMAT 1
#define STORE_COPY_BYTES 320 /* from one copy to the next */
#define STORE_BOOT_AT 0x3F0

enum {
    AT_MARK, AT_FORMAT, AT_GENERATION, AT_VARIANT, AT_FLAGS, AT_SUPPLY,
    AT_SERIAL = 7,
    AT_LEDS = AT_SERIAL + 1 + SERIAL_BYTES,
    AT_SENSORS = AT_LEDS + CELL_COUNT,
    AT_CRC = AT_SENSORS + CELL_COUNT,
    AT_END = AT_CRC + 2,
};
enum { FLAG_LEDS = 1, FLAG_SENSORS = 2 };

extern uint16_t store_used_at;    /* address of the copy in use, or 0 */
extern uint8_t store_generation;  /* its generation */

/* Writes a byte where it isn't the same already: kept memory wears out. */
void store_keep(uint16_t address, uint8_t byte);

/* The variant whose name the host's message holds next, or VARIANT_NONE. */
uint8_t store_variant_named(void);

/* Nothing is being written. */
void store_stop_writing(void);

#endif
