/* How it works: while /PL is low the registers follow their inputs; at its rise they keep them. Each SPI byte takes eight
 * periods of the SPI clock and shifts the chain by eight; what comes in behind is the last chip's serial input, tied
 * high. The data line always holds the next bit, so modes 0, 2 and 3 read from the first bit on; mode 1 samples after
 * the registers have shifted and misses it. */
#include "chain.h"

#include <string.h>

#include "chip.h"
#include "inputs.h"

enum { SPCR = 0x4c, SPSR = 0x4d, SPDR = 0x4e };
enum { SPIE = 0x80, SPE = 0x40, DORD = 0x20, MSTR = 0x10, CPOL = 0x08, CPHA = 0x04 };
enum { SPIF = 0x80, WCOL = 0x40, SPI2X = 0x01 };
#define SPI_VECTOR 17

static struct chain_counts counts;
static uint8_t kept[CHIP_COUNT];
static bool is_loading, is_shifting, was_flag_seen;
static uint8_t shifted_in;
static unsigned since_latch;
static uint64_t latched_at;
static avr_int_vector_t *done;

static int next_bit(void)
{
	return kept[0] >> 7;
}

static void shift_bit(void)
{
	if (is_loading)
		return;
	for (int chip = 0; chip < CHIP_COUNT; chip++) {
		int carry = chip + 1 < CHIP_COUNT ? kept[chip + 1] >> 7 : 1;
		kept[chip] = (uint8_t)(kept[chip] << 1 | carry);
	}
}

static void load_changed(struct avr_irq_t *irq, uint32_t is_high, void *param)
{
	(void)irq, (void)param;
	is_loading = !is_high;
	inputs_levels(kept);
	if (!is_high)
		return;
	if (latched_at && (avr->cycle - latched_at) / CYCLES_PER_US > counts.longest_gap_us)
		counts.longest_gap_us = (avr->cycle - latched_at) / CYCLES_PER_US;
	latched_at = avr->cycle;
	counts.latches++;
	since_latch = 0;
}

static void clock_changed(struct avr_irq_t *irq, uint32_t is_high, void *param)
{
	(void)irq, (void)param;
	if (is_high && !(avr->data[SPCR] & SPE)) {
		shift_bit(); /* a program that moves the clock pin itself */
		chip_drive('B', 4, next_bit());
	}
}

static avr_cycle_count_t byte_done(avr_t *chip, avr_cycle_count_t when, void *param)
{
	(void)when, (void)param;
	uint8_t control = chip->data[SPCR];
	bool is_mode_1 = (control & (CPOL | CPHA)) == CPHA;
	shifted_in = 0;
	if (is_loading)
		inputs_levels(kept);
	for (int bit = 0; bit < 8; bit++) {
		if (is_mode_1)
			shift_bit();
		shifted_in |= (uint8_t)(next_bit() << (control & DORD ? bit : 7 - bit));
		if (!is_mode_1)
			shift_bit();
	}
	is_shifting = false;
	was_flag_seen = false;
	counts.bytes++;
	if (++since_latch == CHIP_COUNT)
		counts.whole_reads++;
	chip->data[SPSR] |= SPIF;
	if (control & SPIE)
		avr_raise_interrupt(chip, done);
	return 0;
}

static void write_data(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	static const int dividers[] = {4, 16, 64, 128};
	(void)address, (void)value, (void)param;
	if ((chip->data[SPCR] & (SPE | MSTR)) != (SPE | MSTR))
		return;
	if (is_shifting) {
		chip->data[SPSR] |= WCOL;
		counts.collisions++;
		return;
	}
	if (was_flag_seen)
		chip->data[SPSR] &= (uint8_t)~(SPIF | WCOL);
	int divider = dividers[chip->data[SPCR] & 3];
	if (chip->data[SPSR] & SPI2X)
		divider /= 2;
	is_shifting = true;
	avr_cycle_timer_register(chip, (uint64_t)divider * 8, byte_done, NULL);
}

static uint8_t read_data(avr_t *chip, avr_io_addr_t address, void *param)
{
	(void)param;
	if (was_flag_seen)
		chip->data[SPSR] &= (uint8_t)~(SPIF | WCOL);
	chip->data[address] = shifted_in;
	return shifted_in;
}

static uint8_t read_state(avr_t *chip, avr_io_addr_t address, void *param)
{
	(void)param;
	if (chip->data[address] & (SPIF | WCOL))
		was_flag_seen = true;
	return chip->data[address];
}

static void write_state(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	(void)param;
	chip->data[address] = (chip->data[address] & (SPIF | WCOL)) | (value & SPI2X);
}

static void write_control(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	(void)param;
	chip->data[address] = value;
	if (!(value & SPIE))
		chip_interrupt_line(done, false);
}

static void after_reset(void)
{
	is_shifting = was_flag_seen = false;
	latched_at = 0;
	is_loading = false; /* the board has a pull-up on /PL */
	avr->data[SPCR] = avr->data[SPSR] = 0;
}

void chain_open(void)
{
	done = chip_vector(SPI_VECTOR);
	chip_take_register(SPDR, read_data, write_data);
	chip_take_register(SPSR, read_state, write_state);
	chip_take_register(SPCR, NULL, write_control);
	chip_on_pin('B', 2, load_changed);
	chip_on_pin('B', 5, clock_changed);
	chip_on_reset(after_reset);
}

const struct chain_counts *chain_counts(void)
{
	return &counts;
}
