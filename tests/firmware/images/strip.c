/* Sends the LED strip a picture every 5 ms: LED n shows red n, green 255 - n, blue n ^ 0x55. What is wrong with it is chosen
 * by FAULT: 0 nothing, 1 ones too short, 2 zeros too long, 3 lows too short, 4 a pause of 60 us in the middle, 5 one LED too few,
 * 6 a gap of 10 us after LED 70. */
#include <avr/io.h>
#include <util/delay.h>

#ifndef FAULT
#define FAULT 0
#endif
#define LEDS 139
#define PIN_UP "sbi %[port], 6\n" /* two cycles, as its counterpart: a pulse is the cycles between the two */
#define PIN_DOWN "cbi %[port], 6\n"

static inline __attribute__((always_inline)) void bit_1(void)
{
#if FAULT == 1 /* 500 ns */
	asm volatile(PIN_UP "rjmp .+0\nrjmp .+0\nrjmp .+0\n" PIN_DOWN "rjmp .+0\nrjmp .+0\n" ::[port] "I"(_SFR_IO_ADDR(PORTD)));
#elif FAULT == 3 /* 750 ns, and 125 ns of low: the next rise follows at once */
	asm volatile(PIN_UP "rjmp .+0\nrjmp .+0\nrjmp .+0\nrjmp .+0\nrjmp .+0\n" PIN_DOWN PIN_UP PIN_DOWN ::[port] "I"(
		_SFR_IO_ADDR(PORTD)));
#else /* 750 ns */
	asm volatile(PIN_UP "rjmp .+0\nrjmp .+0\nrjmp .+0\nrjmp .+0\nrjmp .+0\n" PIN_DOWN "rjmp .+0\n" ::[port] "I"(
		_SFR_IO_ADDR(PORTD)));
#endif
}

static inline __attribute__((always_inline)) void bit_0(void)
{
#if FAULT == 2 /* 437 ns */
	asm volatile(PIN_UP "rjmp .+0\nrjmp .+0\nnop\n" PIN_DOWN "rjmp .+0\nrjmp .+0\nrjmp .+0\n" ::[port] "I"(
		_SFR_IO_ADDR(PORTD)));
#else /* 375 ns */
	asm volatile(PIN_UP "rjmp .+0\nrjmp .+0\n" PIN_DOWN "rjmp .+0\nrjmp .+0\nrjmp .+0\n" ::[port] "I"(_SFR_IO_ADDR(PORTD)));
#endif
}

static void byte(uint8_t value)
{
	for (uint8_t mask = 0x80; mask; mask >>= 1)
		if (value & mask)
			bit_1();
		else
			bit_0();
}

int main(void)
{
	DDRD = _BV(PD6);
	for (;;) {
		for (uint8_t led = 0; led < LEDS - (FAULT == 5); led++) {
			byte(255 - led);
			byte(led);
			byte(led ^ 0x55);
#if FAULT == 4
			if (led == 70)
				_delay_us(60);
#elif FAULT == 6
			if (led == 70)
				_delay_us(10);
#endif
		}
		_delay_ms(5);
	}
}
