/* CRC-16/IBM-3740: polynomial 0x1021, start 0xFFFF, not reflected; 0x29B1 over the nine digits 123456789. */
#ifndef COWBOARD_CRC_H
#define COWBOARD_CRC_H

#include <stdint.h>

#define CRC_START 0xFFFFu

#ifdef __AVR__
#include <util/crc16.h>
#define crc_add(crc, byte) _crc_xmodem_update(crc, byte)
#else
static inline uint16_t crc_add(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)(byte << 8);
    for (int bit = 0; bit < 8; bit++)
        crc = (uint16_t)(crc & 0x8000u ? (crc << 1) ^ 0x1021u : crc << 1);
    return crc;
}
#endif

#endif
