/* Measures the chip from inside, one command byte at a time, 500,000 baud, numbers with the low byte first:
 *   r  18 bytes of the sensor chain                      m  MCUSR as it was at the start
 *   a  PC0 against the 1.1 V reference, 10 bits (u16)    h  hangs with the watchdog on (16 ms)
 *   b  PD2's level, falling edges since the last b (u8)  e ADDRESS VALUE  writes EEPROM; answers the time in us (u16)
 *   x ADDRESS  reads EEPROM                              i  cycles from a compare match to the first line of its
 *   t  Timer 1's overflows in 20 ms with OCR1A = 0 (u16)    interrupt (u8), and how often SEI, NOP, CLI let it in (u8)
 *   s BYTES  goes that deep into the stack               j  jumps to nowhere */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/delay.h>

static uint8_t reset_flags __attribute__((section(".noinit")));
static volatile uint8_t edges, ticks_late, let_in;
static volatile uint16_t matches;

void keep_flags(void) __attribute__((naked, used, section(".init3")));
void keep_flags(void)
{
	reset_flags = MCUSR;
	MCUSR = 0;
	wdt_disable();
}

ISR(INT0_vect)
{
	edges++;
}

ISR(TIMER1_COMPA_vect)
{
	matches++;
}

/* Reads Timer 0 as early as can be: what was pushed before is counted, too. */
ISR(TIMER0_COMPA_vect, ISR_NAKED)
{
	asm volatile("push r24\n in r24, %[counter]\n sts ticks_late, r24\n lds r24, let_in\n subi r24, -1\n sts let_in, r24\n"
		     "pop r24\n reti\n" ::[counter] "I"(_SFR_IO_ADDR(TCNT0)));
}

static void send(uint8_t byte)
{
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = byte;
}

static uint8_t take(void)
{
	while (!(UCSR0A & _BV(RXC0)))
		;
	return UDR0;
}

static void send_chain(void)
{
	PORTB &= ~_BV(PB2);
	asm volatile("nop\nnop");
	PORTB |= _BV(PB2);
	for (uint8_t number = 0; number < 18; number++) {
		SPDR = 0;
		while (!(SPSR & _BV(SPIF)))
			;
		send(SPDR);
	}
}

static void send_supply(void)
{
	ADMUX = _BV(REFS1) | _BV(REFS0);
	ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
	while (ADCSRA & _BV(ADSC))
		;
	uint16_t value = ADC;
	send(value);
	send(value >> 8);
}

static void write_eeprom(uint8_t address, uint8_t value)
{
	TCCR1A = 0;
	TCCR1B = 0;
	TCNT1 = 0;
	EEAR = address;
	EEDR = value;
	cli();
	EECR |= _BV(EEMPE);
	EECR |= _BV(EEPE);
	TCCR1B = _BV(CS11); /* half a microsecond a tick */
	sei();
	while (EECR & _BV(EEPE))
		;
	uint16_t took = TCNT1 / 2;
	send(took);
	send(took >> 8);
}

static void measure_interrupts(void)
{
	cli();
	TCCR0A = 0;
	TCCR0B = 0;
	OCR0A = 100;
	TCNT0 = 0;
	TIFR0 = _BV(OCF0A);
	TIMSK0 = _BV(OCIE0A);
	TCCR0B = _BV(CS00);
	sei();
	for (uint8_t number = 0; number < 200; number++)
		asm volatile("nop");
	send(ticks_late - 100);
	cli();
	let_in = 0;
	_delay_us(50); /* pending by now */
	asm volatile("sei\n nop\n cli\n");
	uint8_t once = let_in;
	TIMSK0 = 0;
	sei();
	send(once);
}

static void count_matches(void)
{
	matches = 0;
	OCR1A = 0;
	TCCR1A = 0;
	TIMSK1 = _BV(OCIE1A);
	TCCR1B = _BV(WGM12) | _BV(CS12) | _BV(CS10); /* 1,024 cycles a clock */
	_delay_ms(20);
	TCCR1B = 0;
	TIMSK1 = 0;
	send(matches);
	send(matches >> 8);
}

static uint8_t dig(uint8_t bytes)
{
	volatile uint8_t hole[16];
	hole[0] = bytes;
	hole[15] = 1;
	return bytes > 16 ? dig(bytes - 16) + hole[15] : hole[15];
}

int main(void)
{
	DDRB = _BV(PB2) | _BV(PB3) | _BV(PB5);
	PORTB = _BV(PB2);
	PORTD = _BV(PD2);
	SPCR = _BV(SPE) | _BV(MSTR);
	SPSR = _BV(SPI2X);
	UBRR0 = 3;
	UCSR0A = _BV(U2X0);
	UCSR0B = _BV(RXEN0) | _BV(TXEN0);
	EICRA = _BV(ISC01);
	EIMSK = _BV(INT0);
	sei();
	for (;;)
		switch (take()) {
		case 'r': send_chain(); break;
		case 'm': send(reset_flags); break;
		case 'a': send_supply(); break;
		case 'b': send(PIND & _BV(PD2) ? 1 : 0); send(edges); edges = 0; break;
		case 'h': cli(); wdt_enable(WDTO_15MS); for (;;); break;
		case 'e': { uint8_t address = take(); write_eeprom(address, take()); break; }
		case 'x': EEAR = take(); EECR |= _BV(EERE); send(EEDR); break;
		case 'i': measure_interrupts(); break;
		case 't': count_matches(); break;
		case 's': send(dig(take())); break;
		case 'j': ((void (*)(void))0x3000)(); break;
		default: send('?');
		}
}
