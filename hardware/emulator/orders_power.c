/* Orders for what happens to the board as a whole: supply, reset line, cable, and what the cable does to bytes. */
#include <string.h>

#include "agenda.h"
#include "chip.h"
#include "host.h"
#include "leds.h"
#include "order_list.h"
#include "pace.h"
#include "port.h"
#include "power.h"

#define SUPPLY_TAG 1000
#define FULL_MV 5000
#define LEDS_LEAST_MV 3000 /* below it the strip's controllers start anew */

static void come_back(int mv, int unused)
{
	(void)unused;
	power_set(mv);
}

static void change_supply(int mv)
{
	power_set(mv);
	if (mv < LEDS_LEAST_MV)
		leds_lose_power();
}

void order_supply(struct words *words)
{
	double mv = number(words, 1, "millivolts", 0, 6000), ms = number_or(words, 2, "milliseconds", MOST_MS, 0);
	if (words->is_refused)
		return;
	int before = power_mv();
	agenda_drop(SUPPLY_TAG);
	change_supply((int)mv);
	if (ms > 0)
		agenda_add(avr->cycle + (uint64_t)(ms * CYCLES_PER_MS), SUPPLY_TAG, come_back, before, 0);
	reply_number(words->reply, "mv", power_mv());
}

void order_power(struct words *words)
{
	static const char *const choices[] = {"off", "on", "cycle", NULL};
	int what = choice(words, 1, "power", choices);
	double ms = number_or(words, 2, "milliseconds", MOST_MS, 20);
	if (words->is_refused)
		return;
	agenda_drop(SUPPLY_TAG);
	change_supply(what == 1 ? FULL_MV : 0);
	if (what == 2)
		agenda_add(avr->cycle + (uint64_t)(ms * CYCLES_PER_MS), SUPPLY_TAG, come_back, FULL_MV, 0);
}

void order_reset(struct words *words)
{
	double ms = number_or(words, 1, "milliseconds", MOST_MS, 1);
	if (!words->is_refused)
		power_reset((int)ms);
}

static void plug_in(int mv, int unused)
{
	(void)unused;
	if (!port_is_plugged())
		host_plug(NULL);
	if (power_mv() == 0)
		power_set(mv);
}

/* unplug [powered] [MS]: for so long, or until `replug`; the cable is the supply too unless it stays powered. */
void order_unplug(struct words *words)
{
	bool keeps_power = words->count > 1 && strcmp(word(words, 1), "powered") == 0;
	double ms = number_or(words, keeps_power ? 2 : 1, "milliseconds", MOST_MS, 0);
	if (words->is_refused)
		return;
	agenda_drop(SUPPLY_TAG);
	host_unplug();
	if (!keeps_power)
		change_supply(0);
	if (ms > 0)
		agenda_add(avr->cycle + (uint64_t)(ms * CYCLES_PER_MS), SUPPLY_TAG, plug_in, FULL_MV, 0);
}

void order_replug(struct words *words)
{
	const char *link = words->count > 1 ? word(words, 1) : NULL;
	if (port_is_plugged())
		refuse(words, "replug", "a plugged cable", "an unplugged one");
	else if (!host_plug(link))
		refuse(words, "link", link ? link : "nothing", "a path that can be made");
	if (words->is_refused)
		return;
	agenda_drop(SUPPLY_TAG);
	plug_in(FULL_MV, 0);
	reply_text(words->reply, "port", port_path());
}

/* --- the line --- */

void order_line(struct words *words)
{
	static const char *const ways[] = {"in", "out", "both", NULL};
	int way = choice(words, 1, "direction", ways);
	double damaged = number(words, 2, "per cent damaged", 0, 100) / 100;
	double dropped = number_or(words, 3, "per cent dropped", 100, 0) / 100;
	if (words->is_refused)
		return;
	if (way != 1)
		host_spoil(TO_BOARD, damaged, dropped);
	if (way != 0)
		host_spoil(TO_HOST, damaged, dropped);
}

void order_seed(struct words *words)
{
	double value = number(words, 1, "seed", 0, 4294967295.0);
	if (!words->is_refused)
		host_seed((uint32_t)value);
}

void order_send_break(struct words *words)
{
	double bits = number_or(words, 1, "bit times", 255, 20);
	if (!words->is_refused)
		host_break((int)bits);
}

void order_inject(struct words *words)
{
	const char *text = word(words, 1);
	size_t length = strlen(text);
	for (size_t place = 0; place < length; place += 2)
		if (length % 2 || hex_byte(text + place) < 0) {
			refuse(words, "bytes", text, "two hex digits a byte");
			return;
		}
	for (size_t place = 0; place < length; place += 2)
		if (!host_inject((uint8_t)hex_byte(text + place))) {
			refuse(words, "bytes", "more than the line's queue holds", "4,096 waiting");
			return;
		}
}
