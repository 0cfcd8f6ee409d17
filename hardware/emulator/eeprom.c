/* simavr 1.6 writes a byte in no time; the chip is busy for 3.4 ms, and a byte is lost that the power leaves halfway. */
#include "eeprom.h"

#include <stdio.h>
#include <string.h>

#include "chip.h"

enum { EECR = 0x3f, EEDR = 0x40, EEARL = 0x41, EEARH = 0x42 };
enum { EERE = 1, EEPE = 2, EEMPE = 4, EERIE = 8, MODES = 0x30, ERASE_ONLY = 0x10, WRITE_ONLY = 0x20 };
#define READY_VECTOR 22
#define WRITE_US 3400
#define HALF_WRITE_US 1800
#define ARMED_CYCLES 6 /* EEPE has to follow EEMPE within four cycles; counted from the end of a two-cycle SBI */
#define SAVE_EVERY_CYCLES (50 * CYCLES_PER_MS)
#define READ_STALL_CYCLES 4

static uint8_t bytes[EEPROM_BYTES];
static const char *file_path;
static bool is_changed, is_busy;
static uint64_t armed_at, saved_at, writes;
static uint16_t address;
static uint8_t latched;
static avr_int_vector_t *ready;

static void tell(void)
{
	uint8_t keep = avr->data[EECR] & (MODES | EERIE | EEMPE);
	avr->data[EECR] = keep | (is_busy ? EEPE : 0);
	chip_interrupt_line(ready, !is_busy);
}

static void finish(void)
{
	if (!is_busy)
		return;
	is_busy = false;
	bytes[address] = latched;
	is_changed = true;
	writes++;
}

static avr_cycle_count_t written(avr_t *chip, avr_cycle_count_t when, void *param)
{
	(void)chip, (void)when, (void)param;
	finish();
	tell();
	return 0;
}

static void begin_write(uint8_t mode)
{
	address = (uint16_t)((avr->data[EEARL] | avr->data[EEARH] << 8) % EEPROM_BYTES);
	uint8_t data = avr->data[EEDR];
	latched = mode == ERASE_ONLY ? 0xff : mode == WRITE_ONLY ? (uint8_t)(bytes[address] & data) : data;
	is_busy = true;
	avr_cycle_timer_register(avr, (mode ? HALF_WRITE_US : WRITE_US) * CYCLES_PER_US, written, NULL);
}

static void write_control(avr_t *chip, avr_io_addr_t register_address, uint8_t value, void *param)
{
	(void)register_address, (void)param;
	bool is_armed = (chip->data[EECR] & EEMPE) && chip->cycle - armed_at <= ARMED_CYCLES;
	if ((value & EEMPE) && !is_armed)
		armed_at = chip->cycle;
	chip->data[EECR] = value & (MODES | EERIE | EEMPE);
	if ((value & EEPE) && is_armed && !is_busy) {
		chip->data[EECR] &= (uint8_t)~EEMPE;
		begin_write(value & MODES);
	} else if ((value & EERE) && !is_busy) {
		chip->data[EEDR] = bytes[(chip->data[EEARL] | chip->data[EEARH] << 8) % EEPROM_BYTES];
		chip->cycle += READ_STALL_CYCLES;
	}
	tell();
}

static uint8_t read_control(avr_t *chip, avr_io_addr_t register_address, void *param)
{
	(void)param;
	if (chip->cycle - armed_at > ARMED_CYCLES)
		chip->data[EECR] &= (uint8_t)~EEMPE;
	return chip->data[register_address];
}

static void plain_write(avr_t *chip, avr_io_addr_t register_address, uint8_t value, void *param)
{
	(void)param;
	chip->data[register_address] = value;
}

static void woke(struct avr_irq_t *irq, uint32_t value, void *param)
{
	(void)irq, (void)param;
	if (!value)
		tell(); /* back from the interrupt: it comes again while the EEPROM is ready */
}

static void after_reset(void)
{
	finish(); /* a reset doesn't stop a write */
	tell();
}

bool eeprom_open(const char *path)
{
	memset(bytes, 0xff, sizeof bytes);
	file_path = path;
	FILE *file = path ? fopen(path, "rb") : NULL;
	if (file) {
		size_t got = fread(bytes, 1, sizeof bytes, file);
		bool is_longer = fgetc(file) != EOF;
		fclose(file);
		if (got != sizeof bytes || is_longer) {
			fprintf(stderr, "cowboard-board: %s: holds %s than the %d bytes of an EEPROM; remove it to begin erased\n",
				path, is_longer ? "more" : "less", EEPROM_BYTES);
			return false;
		}
	}
	ready = chip_vector(READY_VECTOR);
	avr_irq_register_notify(ready->irq + AVR_INT_IRQ_RUNNING, woke, NULL);
	chip_take_register(EECR, read_control, write_control);
	chip_take_register(EEDR, NULL, plain_write);
	chip_take_register(EEARL, NULL, plain_write);
	chip_take_register(EEARH, NULL, plain_write);
	chip_on_reset(after_reset);
	return true;
}

void eeprom_lose_power(void)
{
	if (!is_busy)
		return;
	is_busy = false;
	bytes[address] = (uint8_t)(0xff & (latched | 0x5a)); /* erased, and not every bit written yet */
	is_changed = true;
}

void eeprom_save(bool is_last)
{
	if (!file_path || !is_changed || (!is_last && avr->cycle - saved_at < SAVE_EVERY_CYCLES))
		return;
	char beside[4096];
	if (snprintf(beside, sizeof beside, "%s.new", file_path) >= (int)sizeof beside)
		return;
	FILE *file = fopen(beside, "wb");
	bool is_good = file && fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes;
	is_good = file && fclose(file) == 0 && is_good;
	if (!is_good || rename(beside, file_path) != 0)
		fprintf(stderr, "cowboard-board: %s: the EEPROM can't be saved there\n", file_path);
	is_changed = false;
	saved_at = avr->cycle;
}

uint8_t *eeprom_bytes(void)
{
	return bytes;
}

void eeprom_touched(void)
{
	is_changed = true;
}

uint64_t eeprom_writes(void)
{
	return writes;
}
