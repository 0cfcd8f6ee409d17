/* How it works: the receiver waits for a falling edge on the host's line, looks at the line again in the middle of the
 * stop bit and takes the byte then. Bytes wait in the buffer (2) and in the shift register (1). The start bit of a
 * fourth pushes out the one in the shift register, and the byte after the gap carries the overrun flag. */
#include "usart.h"

#include "avr_uart.h"
#include "chip.h"

enum { UCSRA = 0xc0, UCSRB = 0xc1, UCSRC = 0xc2, UBRRL = 0xc4, UBRRH = 0xc5, UDR = 0xc6 };
enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, FE = 0x10, DOR = 0x08, U2X = 0x02, MPCM = 0x01 };
enum { RXEN = 0x10, TXEN = 0x08 };
enum { RX_VECTOR = 18, UDRE_VECTOR = 19, TX_VECTOR = 20 };
#define UCSRC_AT_RESET 0x06

static struct wire from_host, from_board;
static void (*tell_host)(void);
static avr_int_vector_t *received, *empty, *complete;
static struct usart_counts counts;

static struct { uint8_t byte, flags; } buffer[2], shift;
static int buffered;
static bool is_shift_full, is_receiving;
static double receive_begin, receive_bit;
static uint8_t overrun;

static bool is_sending, has_next;
static uint8_t next_byte;

double usart_bit(void)
{
	unsigned divider = avr->data[UBRRL] | (avr->data[UBRRH] & 0x0fu) << 8;
	return (divider + 1) * (avr->data[UCSRA] & U2X ? 8.0 : 16.0);
}

static uint64_t cycles_until(double when)
{
	double gap = when - (double)avr->cycle;
	return gap < 1 ? 1 : (uint64_t)gap;
}

static void tell_state(void)
{
	uint8_t state = avr->data[UCSRA] & (TXC | U2X | MPCM);
	if (buffered)
		state |= RXC | buffer[0].flags;
	if (!has_next)
		state |= UDRE;
	avr->data[UCSRA] = state;
	chip_interrupt_line(received, buffered > 0);
	chip_interrupt_line(empty, !has_next);
}

/* --- receiver --- */

static bool is_on(uint8_t bit)
{
	return avr->data[UCSRB] & bit;
}

static void fill_buffer(void)
{
	if (is_shift_full && buffered < 2) {
		buffer[buffered].byte = shift.byte;
		buffer[buffered++].flags = shift.flags;
		is_shift_full = false;
	}
	unsigned held = (unsigned)buffered + is_shift_full;
	if (held > counts.most_held)
		counts.most_held = held;
}

static avr_cycle_count_t stop_bit(avr_t *chip, avr_cycle_count_t when, void *param);
static void wait_for_start(double from);

static void begin_byte(double begin)
{
	is_receiving = true;
	receive_begin = begin;
	receive_bit = usart_bit();
	if (is_shift_full && buffered == 2) {
		is_shift_full = false;
		overrun = DOR;
		counts.lost++;
	}
	avr_cycle_timer_register(avr, cycles_until(begin + 9.5 * receive_bit), stop_bit, NULL);
}

static avr_cycle_count_t stop_bit(avr_t *chip, avr_cycle_count_t when, void *param)
{
	(void)chip, (void)when, (void)param;
	struct wire_byte got = wire_read(&from_host, receive_begin, receive_bit);
	is_receiving = false;
	counts.heard++;
	counts.framing_errors += !got.has_stop;
	shift.byte = got.byte;
	shift.flags = overrun | (got.has_stop ? 0 : FE);
	overrun = 0;
	is_shift_full = true;
	fill_buffer();
	tell_state();
	wait_for_start(receive_begin + 9.5 * receive_bit);
	return 0;
}

static void wait_for_start(double from)
{
	double next = is_receiving ? -1 : wire_fall(&from_host, from);
	if (next >= 0)
		begin_byte(next);
}

void usart_listen(void)
{
	if (!is_on(RXEN)) {
		counts.unheard++;
		return;
	}
	wait_for_start(wire_begin(&from_host));
}

static void flush_receiver(void)
{
	buffered = 0;
	is_shift_full = is_receiving = false;
	overrun = 0;
	avr_cycle_timer_cancel(avr, stop_bit, NULL);
}

static uint8_t read_data(avr_t *chip, avr_io_addr_t address, void *param)
{
	(void)param;
	if (buffered) {
		chip->data[address] = buffer[0].byte;
		buffer[0] = buffer[1];
		buffered--;
		fill_buffer();
	}
	tell_state();
	return chip->data[address];
}

/* --- sender --- */

static avr_cycle_count_t byte_sent(avr_t *chip, avr_cycle_count_t when, void *param);

static void send(uint8_t byte)
{
	int stop_bits = avr->data[UCSRC] & 0x08 ? 2 : 1;
	double begin = wire_end(&from_board);
	if (begin < (double)avr->cycle)
		begin = (double)avr->cycle;
	is_sending = true;
	wire_put(&from_board, begin, usart_bit(), byte, stop_bits);
	avr_cycle_timer_register(avr, cycles_until(wire_end(&from_board)), byte_sent, NULL);
	tell_host();
}

static avr_cycle_count_t byte_sent(avr_t *chip, avr_cycle_count_t when, void *param)
{
	(void)when, (void)param;
	is_sending = false;
	counts.sent++;
	if (has_next) {
		has_next = false;
		send(next_byte);
	} else {
		chip->data[UCSRA] |= TXC;
		avr_raise_interrupt(chip, complete);
	}
	tell_state();
	return 0;
}

static void write_data(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	(void)chip, (void)address, (void)param;
	if (!is_on(TXEN))
		return;
	if (!is_sending)
		send(value);
	else if (!has_next) {
		next_byte = value;
		has_next = true;
	}
	tell_state();
}

/* --- registers --- */

static void write_state(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	(void)param;
	uint8_t kept = chip->data[address] & (value & TXC ? 0 : TXC);
	chip->data[address] = kept | (value & (U2X | MPCM));
	if (value & TXC)
		chip_interrupt_line(complete, false);
	tell_state();
}

static void write_control(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	(void)param;
	bool was_receiver_on = chip->data[address] & RXEN;
	chip->data[address] = value;
	if (!(value & RXEN))
		flush_receiver();
	else if (!was_receiver_on)
		wait_for_start((double)chip->cycle);
	tell_state();
}

static void plain_write(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	(void)param;
	chip->data[address] = value;
}

static void left_interrupt(struct avr_irq_t *irq, uint32_t value, void *param)
{
	(void)irq, (void)param;
	if (!value)
		tell_state(); /* the line may still be up: then the interrupt comes again */
}

static void after_reset(void)
{
	flush_receiver();
	wire_cut(&from_board, (double)avr->cycle);
	is_sending = has_next = false;
	avr->data[UCSRA] = UDRE;
	avr->data[UCSRB] = 0;
	avr->data[UCSRC] = UCSRC_AT_RESET;
}

struct wire *usart_from_host(void)
{
	return &from_host;
}

struct wire *usart_from_board(void)
{
	return &from_board;
}

const struct usart_counts *usart_counts(void)
{
	return &counts;
}

void usart_open(void (*host_hears)(void))
{
	tell_host = host_hears;
	received = chip_vector(RX_VECTOR);
	empty = chip_vector(UDRE_VECTOR);
	complete = chip_vector(TX_VECTOR);
	avr_irq_register_notify(received->irq + AVR_INT_IRQ_RUNNING, left_interrupt, NULL);
	avr_irq_register_notify(empty->irq + AVR_INT_IRQ_RUNNING, left_interrupt, NULL);
	chip_take_register(UDR, read_data, write_data);
	chip_take_register(UCSRA, NULL, write_state);
	avr->io[AVR_DATA_TO_IO(UCSRA)].r.c = NULL; /* `tell_state` keeps the byte true at all times */
	chip_take_register(UCSRB, NULL, write_control);
	chip_take_register(UCSRC, NULL, plain_write);
	chip_take_register(UBRRL, NULL, plain_write);
	chip_take_register(UBRRH, NULL, plain_write);
	chip_on_reset(after_reset);
}
