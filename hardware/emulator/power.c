#include "power.h"

#include <stdint.h>

#include "agenda.h"
#include "avr_adc.h"
#include "chip.h"
#include "eeprom.h"

#define BOD_HYSTERESIS_MV 50 /* data sheet, table 29-7 */
#define FORGETS_MV 1000      /* below it RAM and power-on detector start anew */
#define TAG (-1)

static struct power_plan plan;
static int supply_mv;
static bool is_held;    /* the reset line, or the boot loader */
static bool is_browned; /* below the detector's level */
static bool is_dead = true;
static bool is_running;

static void begin(int cause, int unused)
{
	(void)unused;
	is_held = false;
	is_running = true;
	chip_reset((enum reset_cause)cause);
	chip_let_run(true);
}

static void hold(void)
{
	is_running = false;
	chip_let_run(false);
	agenda_drop(TAG);
}

static void begin_later(enum reset_cause cause, uint64_t ms)
{
	is_held = true;
	if (ms)
		agenda_add(avr->cycle + ms * CYCLES_PER_MS, TAG, begin, (int)cause, 0);
	else
		begin((int)cause, 0);
}

static void tell_voltages(void)
{
	avr->vcc = avr->avcc = avr->aref = (uint32_t)supply_mv;
	avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), (uint32_t)(supply_mv * plan.sense_share));
}

void power_open(const struct power_plan *wanted)
{
	plan = *wanted;
	chip_let_run(false);
	chip_on_reset(tell_voltages);
}

void power_set(int mv)
{
	supply_mv = mv;
	tell_voltages();
	int level = plan.bod_mv + (is_browned ? BOD_HYSTERESIS_MV : 0);
	bool is_low = mv < level || mv < FORGETS_MV;
	if (is_low && !is_browned && !is_dead)
		hold();
	if (mv < FORGETS_MV && !is_dead) {
		eeprom_lose_power();
		is_dead = true;
	}
	if (!is_low && (is_browned || is_dead)) {
		begin_later(is_dead ? RESET_POWER : RESET_BROWN_OUT, (uint64_t)plan.boot_ms);
		is_dead = false;
	}
	is_browned = is_low;
}

int power_mv(void)
{
	return supply_mv;
}

void power_reset(int ms)
{
	if (is_browned || is_dead)
		return;
	hold();
	begin_later(RESET_PIN, (uint64_t)(ms < 1 ? 1 : ms) + (uint64_t)plan.boot_ms);
}

bool power_is_running(void)
{
	return is_running && !chip_counts()->is_crashed;
}
