/* The 18 shift registers 74HC165 on SPI: /PL on PB2, clock PB5, data PB4. */
#ifndef CHAIN_H
#define CHAIN_H

#include <stdint.h>

struct chain_counts {
	uint64_t latches; /* rising edges of /PL */
	uint64_t bytes;
	uint64_t whole_reads; /* latches after which all 18 bytes were read */
	uint64_t collisions; /* bytes written while another was under way */
	uint64_t longest_gap_us; /* between two latches */
};

void chain_open(void);
const struct chain_counts *chain_counts(void);

#endif
