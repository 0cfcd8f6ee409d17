/* The ATmega328P: what simavr runs, and the helpers the emulator's own peripherals need.
 *
 * Time is `avr->cycle`, counted from the program's start over every reset, also while there is no power. */
#ifndef CHIP_H
#define CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim_avr.h"

#define CYCLES_PER_US 16ull /* 16 MHz crystal */
#define CYCLES_PER_MS (1000 * CYCLES_PER_US)

extern avr_t *avr;

/* Why the chip starts; the values are MCUSR's bits. */
enum reset_cause { RESET_POWER = 1, RESET_PIN = 2, RESET_BROWN_OUT = 4, RESET_WATCHDOG = 8 };

struct chip_counts {
	uint64_t resets[4]; /* power, pin, brown-out, watchdog */
	bool is_crashed;    /* an opcode that isn't one, or a jump out of the flash */
	uint32_t crashed_at;
};

/* Makes the chip and loads an ELF or hex file; false and a message on stderr where that fails. */
bool chip_open(const char *image_path, uint32_t seed);

/* Lets time pass up to `end`; executes only while there is power and reset is high. */
void chip_run_until(avr_cycle_count_t end);

/* Begins a program: all registers as after this reset. The RAM keeps its content but for RESET_POWER. */
void chip_reset(enum reset_cause cause);

/* Whether instructions are executed at all. */
void chip_let_run(bool may_run);

/* Called after every reset, the watchdog's too; modules put their registers right there. */
void chip_on_reset(void (*call)(void));

/* Holds a pin at a level from outside, through resets. */
void chip_drive(char port, int pin, bool is_high);

/* Calls at every change of a pin, with its new level. */
void chip_on_pin(char port, int pin, avr_irq_notify_t call);

/* The cycle at whose end the store that is executed now takes effect: SBI, CBI and STS need two. */
avr_cycle_count_t chip_store_cycle(void);

/* Takes over a register; NULL leaves that direction alone. */
void chip_take_register(uint16_t address, avr_io_read_t read, avr_io_write_t write);

avr_int_vector_t *chip_vector(int number);

/* An interrupt line with a level: pending while it is up, forgotten when it falls. */
void chip_interrupt_line(avr_int_vector_t *vector, bool is_up);

const struct chip_counts *chip_counts(void);

/* Bytes between the program's variables and the deepest the stack has gone since the last reset. */
int chip_stack_headroom(void);
/* The least of that over all resets. */
int chip_stack_least(void);
int chip_ram_static(void);

#endif
