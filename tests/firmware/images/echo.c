/* Sends every byte back; BAUD chooses the speed. Says "B" at start. Interrupt-driven, the CPU sleeps between bytes. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#ifndef BAUD
#define BAUD 500000UL
#endif

static volatile uint8_t ring[256], in, out;

ISR(USART_RX_vect)
{
	ring[in] = UDR0;
	in++;
	UCSR0B |= _BV(UDRIE0);
}

ISR(USART_UDRE_vect)
{
	if (in == out)
		UCSR0B &= ~_BV(UDRIE0);
	else
		UDR0 = ring[out++];
}

int main(void)
{
	UBRR0 = (F_CPU + BAUD * 4) / (BAUD * 8) - 1;
	UCSR0A = _BV(U2X0);
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
	UDR0 = 'B';
	set_sleep_mode(SLEEP_MODE_IDLE);
	sei();
	for (;;)
		sleep_mode();
}
