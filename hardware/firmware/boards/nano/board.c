/* The Arduino Nano's registers: ATmega328P at 16 MHz. What each pin is for: README.md beside this folder's parent.
 *
 * Rules of this file: nothing but registers; what to do with them is the core's business. The only interrupts are the
 * serial port's and the timer's that ends a sleep; time is read from the free-running timer 1 (4 us a tick), so nothing
 * is lost while a picture is clocked out with interrupts off.
 */
#include "board.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "build.h"
#include "cowboard.h"
#include "lights.h"
#include "packets.h"
#include "protocol.h"
#include "rom.h"
#include "stack.h"

#ifndef BAUD
#define BAUD 500000UL
#endif
#define UBRR_VALUE ((F_CPU + BAUD * 4UL) / (BAUD * 8UL) - 1UL) /* double speed: 250 k, 500 k and 1 M are exact */

#define LED_BIT PD6
#define BUTTON_BIT PD2
#define LOAD_BIT PB2
#define MOSI_BIT PB3
#define CLOCK_BIT PB5

#define TICKS_MS 250        /* of timer 1 */
#define LATCH_TICKS 75      /* 300 us: the newest LEDs take a shorter pause for a part of the same picture */
#define LATEST_SLEEP 4      /* ticks before the wake-up at which it isn't worth going to sleep */
#define WRITING_SIZE 128
#define ADC_TRIES 250
#define RESTART_MARK 0xB0A7u
#define ALIVE_MARK 0xC0DEu

const char board_build[] ROM = BUILD_NAME;

static uint8_t writing[WRITING_SIZE];
static volatile uint8_t writing_head, writing_tail;
static volatile uint16_t overruns, framing_errors;

static uint16_t last_tick;
static uint32_t ms;
static uint16_t picture_end;

static uint8_t reset_flags __attribute__((section(".noinit")));
static uint8_t loader_flags __attribute__((section(".noinit")));
static uint16_t restart_mark __attribute__((section(".noinit")));
static uint16_t alive_mark __attribute__((section(".noinit")));

/* --- start --- */


/* Before main: the reset's reason, which a boot loader hands over in r2 when it has cleared it; the watchdog, which
 * would go on biting; and the paint that shows how deep the stack has been. */
static void __attribute__((naked, used, section(".init3"))) prepare(void)
{
    __asm__ volatile("sts %0, r2" : : "i"(&loader_flags));
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
    __asm__ volatile("    ldi r30, lo8(_end)\n"
                     "    ldi r31, hi8(_end)\n"
                     "    ldi r24, %0\n"
                     "1:  st Z+, r24\n"
                     "    in r25, __SP_L__\n"
                     "    in r26, __SP_H__\n"
                     "    cp r30, r25\n"
                     "    cpc r31, r26\n"
                     "    brlo 1b\n"
                     :
                     : "M"(UNTOUCHED)
                     : "r24", "r25", "r26", "r30", "r31", "memory");
}

static uint8_t boot_reason(void)
{
    uint8_t flags = reset_flags ? reset_flags : loader_flags & 0x0F;
    bool was_asked = restart_mark == RESTART_MARK, was_alive = alive_mark == ALIVE_MARK;
    restart_mark = 0;
    alive_mark = ALIVE_MARK;
    if (flags & _BV(PORF))
        return BOOT_POWER;
    if (flags & _BV(BORF))
        return BOOT_BROWN_OUT;
    if (flags & _BV(WDRF))
        return was_asked ? BOOT_REQUEST : BOOT_WATCHDOG;
    if (flags & _BV(EXTRF))
        return BOOT_RESET;
    return was_alive ? BOOT_RESET : BOOT_POWER; /* memory that kept its content never lost its supply */
}

static void start_pins(void)
{
    DDRD = _BV(LED_BIT);
    PORTD = _BV(BUTTON_BIT);
    PORTB = _BV(LOAD_BIT);
    DDRB = _BV(LOAD_BIT) | _BV(MOSI_BIT) | _BV(CLOCK_BIT);
    SPCR = _BV(SPE) | _BV(MSTR); /* the first bit is there before the first edge, as a 74HC165 has it */
    SPSR = _BV(SPI2X);           /* 8 MHz */
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10);
    TIMSK1 = _BV(OCIE1A);
    UBRR0 = UBRR_VALUE;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    ADMUX = _BV(REFS1) | _BV(REFS0); /* PC0 against the chip's own 1.1 V */
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
}

/* --- time --- */

uint32_t board_ms(void)
{
    uint16_t tick = TCNT1;
    while ((uint16_t)(tick - last_tick) >= TICKS_MS) {
        last_tick += TICKS_MS;
        ms++;
    }
    return ms;
}

EMPTY_INTERRUPT(TIMER1_COMPA_vect);

/* Sleeps until a byte comes or the next millisecond begins. */
static void rest(void)
{
    OCR1A = last_tick + TICKS_MS;
    set_sleep_mode(SLEEP_MODE_IDLE);
    cli();
    bool is_late = (uint16_t)(TCNT1 - last_tick) + LATEST_SLEEP >= TICKS_MS;
    if (!is_late && !packets_have_news()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

/* --- serial port --- */

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A, byte = UDR0;
    if (status & _BV(DOR0))
        overruns++;
    if (status & _BV(FE0))
        framing_errors++;
    packets_push(byte);
}

ISR(USART_UDRE_vect)
{
    uint8_t tail = writing_tail;
    UDR0 = writing[tail];
    UCSR0A = _BV(U2X0) | _BV(TXC0); /* this byte isn't out yet */
    tail = (tail + 1) % WRITING_SIZE;
    writing_tail = tail;
    if (tail == writing_head)
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

void board_write(uint8_t byte)
{
    uint8_t head = writing_head, next = (head + 1) % WRITING_SIZE;
    while (next == writing_tail) {
    }
    writing[head] = byte;
    writing_head = next;
    cli();
    UCSR0B |= _BV(UDRIE0);
    sei();
}

bool board_has_written(void)
{
    return writing_head == writing_tail && UCSR0A & _BV(UDRE0);
}

uint16_t board_overruns(void)
{
    return overruns;
}

uint16_t board_framing_errors(void)
{
    return framing_errors;
}

/* --- switches, button, supply --- */

void board_read_inputs(uint8_t inputs[INPUT_BYTES])
{
    PORTB &= (uint8_t)~_BV(LOAD_BIT);
    __asm__ volatile("nop\n nop\n");
    PORTB |= _BV(LOAD_BIT);
    for (uint8_t at = 0; at < INPUT_BYTES; at++) {
        SPDR = 0;
        while (!(SPSR & _BV(SPIF))) {
        }
        inputs[at] = SPDR;
    }
}

bool board_button_is_down(void)
{
    return !(PIND & _BV(BUTTON_BIT));
}

uint16_t board_supply(void)
{
    ADCSRA |= _BV(ADSC);
    for (uint8_t tries = ADC_TRIES; tries && ADCSRA & _BV(ADSC); tries--)
        __asm__ volatile("nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n");
    return ADCSRA & _BV(ADSC) ? 0 : ADC;
}

/* --- the LEDs --- */

struct fetched {
    uint8_t head;
    uint8_t wraps;
    uint8_t errors;
};

void picture_out(const struct picture *picture, uint8_t high, uint8_t low, struct fetched *fetched);

uint16_t board_show(const struct picture *picture)
{
    while ((uint16_t)(TCNT1 - picture_end) < LATCH_TICKS) {
    }
    uint8_t low = PORTD & (uint8_t)~_BV(LED_BIT);
    cli();
    uint16_t began = TCNT1;
    uint8_t room = packets_room(), head = packet_head;
    struct fetched fetched = {head, 0, 0};
    picture_out(picture, low | _BV(LED_BIT), low, &fetched);
    uint16_t count = (uint16_t)(fetched.wraps << 8) + fetched.head - head;
    packet_head = fetched.head;
    if (count > room)
        packets_overflowed(count);
    if (fetched.errors & _BV(DOR0))
        overruns++;
    if (fetched.errors & _BV(FE0))
        framing_errors++;
    picture_end = TCNT1;
    sei();
    return (picture_end - began) * 4;
}

/* --- kept memory --- */

uint8_t board_kept(uint16_t address)
{
    return eeprom_read_byte((const uint8_t *)address);
}

bool board_keeps(void)
{
    return eeprom_is_ready();
}

void board_keep(uint16_t address, uint8_t byte)
{
    eeprom_write_byte((uint8_t *)address, byte);
}

/* --- the rest --- */

void board_restart(void)
{
    while (!(UCSR0A & _BV(TXC0)) && (uint16_t)(TCNT1 - last_tick) < TICKS_MS) {
    }
    restart_mark = RESTART_MARK;
    wdt_enable(WDTO_15MS);
    for (;;) {
    }
}

int main(void)
{
    start_pins();
    uint8_t reason = boot_reason();
    wdt_enable(WDTO_250MS);
    sei();
    cowboard_start(reason);
    for (;;) {
        wdt_reset();
        cowboard_turn();
        rest();
    }
}
