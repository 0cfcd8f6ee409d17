/* Rules of this file:
 * - What simavr 1.6 does otherwise than the data sheet is put right here or in a model of our own (README.md lists it).
 * - simavr's run loop isn't used: it sleeps across whatever waits outside, and it ends the program when the chip
 *   sleeps with interrupts off. `step` below takes its place.
 */
#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr_extint.h"
#include "avr_ioport.h"
#include "image.h"
#include "sim_core.h"

#define MOST_CALLS 16
#define PAINT 0xc5
#define RAM_FIRST 0x100
#define MCUSR 0x54
#define INTERRUPT_ENTRY_CYCLES 4 /* data sheet 7.7.1; simavr takes none */

DEFINE_FIFO(avr_int_vector_p, avr_int_pending);

avr_t *avr;

static void (*reset_calls[MOST_CALLS])(void);
static int reset_call_count;
static struct chip_counts counts;
static bool may_run;
static bool was_reset; /* by simavr's watchdog */
static avr_cycle_count_t run_end;
static uint16_t free_ram;
static int stack_least;
static uint64_t chance;
static struct { uint8_t mask, value; } driven[3]; /* ports B, C, D */

static uint8_t chance_byte(void)
{
	chance = chance * 6364136223846793005ull + 1442695040888963407ull;
	return (uint8_t)(chance >> 56);
}

/* --- the run loop --- */

static void step(avr_t *chip)
{
	avr_flashaddr_t pc = chip->pc;
	if (chip->state == cpu_Running)
		pc = avr_run_one(chip);
	if (chip->interrupt_state < -1)
		chip->interrupt_state = -1; /* one instruction after SEI and RETI, not two */
	avr_cycle_count_t until_timer = avr_cycle_timer_process(chip);
	chip->pc = pc;
	if (chip->state == cpu_Sleeping && chip->cycle < run_end) {
		avr_cycle_count_t gap = run_end - chip->cycle;
		if (until_timer < gap)
			gap = until_timer;
		chip->cycle += gap ? gap : 1;
	}
	if (chip->interrupt_state && (chip->state == cpu_Running || chip->state == cpu_Sleeping))
		avr_service_interrupts(chip);
}

static void entered_interrupt(struct avr_irq_t *irq, uint32_t value, void *param)
{
	(void)irq, (void)param;
	if (value)
		avr->cycle += INTERRUPT_ENTRY_CYCLES;
}

static void paint_stack(void)
{
	if (free_ram)
		memset(avr->data + free_ram, PAINT, (size_t)(avr->ramend + 1 - free_ram));
}

static void after_reset(enum reset_cause cause, uint8_t flags_before)
{
	static const char ports[] = "BCD";
	for (int bit = 0; bit < 4; bit++)
		counts.resets[bit] += cause >> bit & 1;
	avr->data[MCUSR] = (cause == RESET_POWER ? 0 : flags_before) | cause;
	avr->run_cycle_limit = 64; /* how many cycles `avr_run_one` may go on by itself */
	for (int number = 0; number < 2; number++)
		avr_extint_set_strict_lvl_trig(avr, number, 0);
	for (int port = 0; port < 3; port++)
		for (int pin = 0; pin < 8; pin++) {
			/* simavr clears PINx but lets its pins keep their level, so a pin that is up already stays 0 */
			avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(ports[port]), pin);
			irq->value = 0;
			if (driven[port].mask >> pin & 1)
				avr_raise_irq(irq, driven[port].value >> pin & 1);
		}
	paint_stack();
	for (int number = 0; number < reset_call_count; number++)
		reset_calls[number]();
}

void chip_reset(enum reset_cause cause)
{
	uint8_t flags = avr->data[MCUSR];
	int least = chip_stack_least();
	if (cause == RESET_POWER) {
		for (int address = 0; address < 32; address++)
			avr->data[address] = chance_byte();
		for (int address = RAM_FIRST; address <= avr->ramend; address++)
			avr->data[address] = chance_byte();
	}
	stack_least = least;
	counts.is_crashed = false;
	avr_reset(avr);
	was_reset = false;
	after_reset(cause, flags);
}

void chip_let_run(bool is_allowed)
{
	may_run = is_allowed;
}

static void check_crash(void)
{
	if (avr->state != cpu_Crashed && avr->state != cpu_Stopped && avr->state != cpu_Done)
		return;
	if (!counts.is_crashed)
		fprintf(stderr, "cowboard-board: the program ran into no opcode at 0x%04x; the chip stands still\n", avr->pc);
	counts.is_crashed = true;
	counts.crashed_at = avr->pc;
}

void chip_run_until(avr_cycle_count_t end)
{
	run_end = end;
	while (may_run && !counts.is_crashed && avr->cycle < end) {
		uint8_t flags = avr->data[MCUSR];
		int least = avr->run == step ? 0 : chip_stack_least();
		avr->run(avr); /* `step`, or the watchdog's reset in its place */
		if (was_reset) {
			was_reset = false;
			stack_least = least;
			after_reset(RESET_WATCHDOG, flags);
		}
		check_crash();
	}
	if (avr->cycle < end)
		avr->cycle = end;
}

static void saw_reset(avr_io_t *io)
{
	(void)io;
	was_reset = true;
}

void chip_on_reset(void (*call)(void))
{
	if (reset_call_count == MOST_CALLS)
		abort();
	reset_calls[reset_call_count++] = call;
}

bool chip_open(const char *image_path, uint32_t seed)
{
	static avr_io_t watch = {.kind = "reset", .reset = saw_reset};
	static struct image image;
	if (!image_read(image_path, &image))
		return false;
	chance = seed + 1;
	avr = avr_make_mcu_by_name("atmega328p");
	if (!avr || avr_init(avr) != 0) {
		fprintf(stderr, "cowboard-board: libsimavr has no atmega328p; install libsimavr-dev 1.6\n");
		return false;
	}
	memcpy(avr->flash, image.flash, FLASH_BYTES);
	free_ram = image.free_ram;
	stack_least = avr->ramend;
	avr->codeend = avr->flashend;
	avr->frequency = (uint32_t)(CYCLES_PER_US * 1000000);
	avr->log = LOG_NONE;
	avr->run = step;
	avr_register_io(avr, &watch);
	for (int number = 0; number < avr->interrupts.vector_count; number++)
		avr_irq_register_notify(avr->interrupts.vector[number]->irq + AVR_INT_IRQ_RUNNING, entered_interrupt, NULL);
	return true;
}

/* --- what peripherals need --- */

void chip_drive(char port, int pin, bool is_high)
{
	int index = port - 'B';
	uint8_t bit = (uint8_t)(1 << pin);
	driven[index].mask |= bit;
	driven[index].value = is_high ? driven[index].value | bit : driven[index].value & (uint8_t)~bit;
	avr_ioport_external_t external = {.name = (unsigned long)port, .mask = driven[index].mask,
					  .value = driven[index].value};
	avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
	avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), is_high);
}

void chip_on_pin(char port, int pin, avr_irq_notify_t call)
{
	avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin);
	irq->flags |= IRQ_FLAG_FILTERED;
	avr_irq_register_notify(irq, call, NULL);
}

avr_cycle_count_t chip_store_cycle(void)
{
	uint16_t opcode = (uint16_t)(avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8);
	bool takes_two = (opcode & 0xff00) == 0x9a00 || (opcode & 0xff00) == 0x9800 || (opcode & 0xfe00) == 0x9200;
	return avr->cycle + (takes_two ? 2 : 1);
}

void chip_take_register(uint16_t address, avr_io_read_t read, avr_io_write_t write)
{
	avr_io_addr_t io = AVR_DATA_TO_IO(address);
	if (read)
		avr->io[io].r.c = read, avr->io[io].r.param = &avr;
	if (write)
		avr->io[io].w.c = write, avr->io[io].w.param = &avr;
}

avr_int_vector_t *chip_vector(int number)
{
	for (int index = 0; index < avr->interrupts.vector_count; index++)
		if (avr->interrupts.vector[index]->vector == number)
			return avr->interrupts.vector[index];
	fprintf(stderr, "cowboard-board: libsimavr's atmega328p has no interrupt %d\n", number);
	abort();
}

/* simavr queues what is pending; a line that falls again has to leave the queue, else the queue fills up. */
static void forget(avr_int_vector_t *vector)
{
	avr_int_pending_t *queue = &avr->interrupts.pending;
	int waiting = (int)avr_int_pending_get_read_size(queue);
	for (int number = 0; number < waiting; number++) {
		avr_int_vector_t *one = avr_int_pending_read(queue);
		if (one != vector)
			avr_int_pending_write(queue, one);
	}
	vector->pending = 0;
}

void chip_interrupt_line(avr_int_vector_t *vector, bool is_up)
{
	bool counts_now = is_up && avr_regbit_get(avr, vector->enable);
	if (counts_now && !vector->pending)
		avr_raise_interrupt(avr, vector);
	else if (!counts_now && vector->pending)
		forget(vector);
}

const struct chip_counts *chip_counts(void)
{
	return &counts;
}

int chip_ram_static(void)
{
	return free_ram ? free_ram - RAM_FIRST : 0;
}

int chip_stack_headroom(void)
{
	int untouched = 0;
	if (!free_ram)
		return 0;
	while (free_ram + untouched <= avr->ramend && avr->data[free_ram + untouched] == PAINT)
		untouched++;
	return untouched;
}

int chip_stack_least(void)
{
	bool has_begun = counts.resets[0] + counts.resets[1] + counts.resets[2] + counts.resets[3] > 0;
	int now = has_begun ? chip_stack_headroom() : stack_least;
	return now < stack_least ? now : stack_least;
}
