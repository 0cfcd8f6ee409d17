/* Constants that a chip with little memory keeps in its program memory. */
#ifndef COWBOARD_ROM_H
#define COWBOARD_ROM_H

#include <stdint.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#define ROM PROGMEM
#define rom_byte(address) pgm_read_byte(address)
#else
#define ROM
#define rom_byte(address) (*(const uint8_t *)(address))
#endif

#endif
