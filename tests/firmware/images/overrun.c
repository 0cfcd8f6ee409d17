/* Reads nothing for 2 ms after the first byte came, then sends back what the receiver had kept: each byte with its
 * flags (data overrun 08, framing error 10), and EE at the end. By the data sheet that is two bytes, and the newest. */
#include <avr/io.h>
#include <util/delay.h>

#ifndef BAUD
#define BAUD 500000UL
#endif

static void send(uint8_t byte)
{
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = byte;
}

int main(void)
{
	UBRR0 = (F_CPU + BAUD * 4) / (BAUD * 8) - 1;
	UCSR0A = _BV(U2X0);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0);
	for (;;) {
		uint8_t kept[8], count = 0;
		while (!(UCSR0A & _BV(RXC0)))
			;
		_delay_ms(2);
		while (count < sizeof kept && (UCSR0A & _BV(RXC0))) {
			kept[count++] = UCSR0A & (_BV(DOR0) | _BV(FE0));
			kept[count++] = UDR0;
		}
		for (uint8_t number = 0; number < count; number++)
			send(kept[number]);
		send(0xEE);
	}
}
