/* USART0 as the data sheet has it: two bytes of buffer and a shift register, overrun, framing errors, levels for its
 * interrupts. It joins the chip to the host's end of the line. */
#ifndef USART_H
#define USART_H

#include <stdint.h>

#include "wire.h"

struct usart_counts {
	uint64_t heard;         /* bytes that came whole or broken */
	uint64_t lost;          /* overrun: a byte that a newer one pushed out */
	uint64_t unheard;       /* bytes that passed while the receiver was off */
	uint64_t framing_errors;
	uint64_t sent;
	unsigned most_held;     /* 3: the buffer and the shift register were full */
};

/* `host_hears` is told when the board begins a byte on its own line. */
void usart_open(void (*host_hears)(void));

/* The two directions of the line. */
struct wire *usart_from_host(void);
struct wire *usart_from_board(void);

/* The host has put something on its line. */
void usart_listen(void);

/* Cycles of a bit as the chip's registers have it. */
double usart_bit(void);

const struct usart_counts *usart_counts(void);

#endif
