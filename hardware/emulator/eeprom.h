/* The chip's 1 KB of EEPROM: the data sheet's write times, content kept in a file. */
#ifndef EEPROM_H
#define EEPROM_H

#include <stdbool.h>
#include <stdint.h>

#define EEPROM_BYTES 1024

/* `path` may be NULL: then it begins erased and isn't kept. False and a message where the file can't be used. */
bool eeprom_open(const char *path);

/* The power goes: a byte that is being written is spoilt. */
void eeprom_lose_power(void);

/* Saves what changed, not more often than every 50 ms unless `is_last`. */
void eeprom_save(bool is_last);

uint8_t *eeprom_bytes(void);
/* Tells that somebody changed `eeprom_bytes` from outside. */
void eeprom_touched(void);
uint64_t eeprom_writes(void);

#endif
