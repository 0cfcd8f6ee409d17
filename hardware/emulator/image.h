/* Firmware files: ELF as avr-gcc links it, or Intel hex. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#define FLASH_BYTES 32768

struct image {
	uint8_t flash[FLASH_BYTES];
	uint32_t flash_used;
	uint16_t free_ram; /* data address of the first byte after the variables; 0: a hex file doesn't tell */
};

/* False and a message on stderr where the file can't be used. */
bool image_read(const char *path, struct image *image);

#endif
