/* Orders for hands: switches under cows, and the button. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agenda.h"
#include "chip.h"
#include "inputs.h"
#include "order_list.h"
#include "pace.h"

#define BUTTON_TAG 1001
#define DWELL_PERCENT 60 /* share of a cell's pitch over which a magnet closes its switch */

void order_set_input(struct words *words)
{
	int input = input_number(words, 1), is_closed = choice(words, 2, "switch", off_on);
	if (words->is_refused)
		return;
	inputs_set(input, is_closed);
	reply_number(words->reply, "at_ns", (double)pace_at_ns(avr->cycle));
}

void order_set_all_inputs(struct words *words)
{
	bool is_closed[INPUT_COUNT] = {false};
	for (int place = 1; place < words->count; place++)
		is_closed[input_number(words, place)] = true;
	for (int input = 0; input < INPUT_COUNT && !words->is_refused; input++)
		inputs_set(input, is_closed[input]);
	if (!words->is_refused)
		reply_number(words->reply, "at_ns", (double)pace_at_ns(avr->cycle));
}

/* slide MS FROM TO [DWELL%]: a cow goes evenly along neighbouring inputs, each closed for part of the way only. */
void order_slide(struct words *words)
{
	double ms = number(words, 1, "milliseconds", 0, MOST_MS);
	int from = input_number(words, 2), to = input_number(words, 3);
	double dwell = number_or(words, 4, "per cent", 100, DWELL_PERCENT) / 100;
	if (words->is_refused)
		return;
	int steps = abs(to - from), towards = to < from ? -1 : 1;
	inputs_set(from, 1);
	for (int step = 0; step <= steps && steps; step++) {
		double pitch_ms = ms / steps;
		double closes = (step - dwell / 2) * pitch_ms, opens = (step + dwell / 2) * pitch_ms;
		int input = from + step * towards;
		if (step)
			agenda_add(avr->cycle + (uint64_t)(closes * CYCLES_PER_MS), 0, inputs_set, input, 1);
		if (step < steps)
			agenda_add(avr->cycle + (uint64_t)(opens * CYCLES_PER_MS), 0, inputs_set, input, 0);
	}
	reply_number(words->reply, "waiting", agenda_count());
}

/* plan TAG [MS:INPUT:on|off]...: what a tag's inputs will do; takes the place of what the same tag still had to do. */
void order_plan(struct words *words)
{
	int tag = (int)number(words, 1, "tag", 0, 999);
	if (words->is_refused)
		return;
	agenda_drop(tag);
	for (int place = 2; place < words->count; place++) {
		double ms;
		int input, length = 0;
		const char *text = word(words, place);
		bool is_read = sscanf(text, "%lf:%d:%n", &ms, &input, &length) == 2 && length;
		bool is_on = is_read && strcmp(text + length, "on") == 0, is_off = is_read && strcmp(text + length, "off") == 0;
		if ((!is_on && !is_off) || ms < 0 || ms > MOST_MS || input < 0 || input >= INPUT_COUNT ||
		    !agenda_add(avr->cycle + (uint64_t)(ms * CYCLES_PER_MS), tag, inputs_set, input, is_on)) {
			agenda_drop(tag);
			refuse(words, "plan", text, "MS:INPUT:on or MS:INPUT:off, 4,096 in all");
			return;
		}
	}
	reply_number(words->reply, "at_ns", (double)pace_at_ns(avr->cycle));
}

void order_spoil(struct words *words)
{
	static const char *const choices[] = {"free", "open", "closed", "chatter", "weak", "ghost", NULL};
	static const double periods_us[] = {0, 0, 0, 4000, 60000, 60000};
	int input = input_number(words, 1), fault = choice(words, 2, "fault", choices);
	double us = number_or(words, 3, "microseconds", 10e6, periods_us[fault]);
	if (!words->is_refused)
		inputs_spoil(input, (enum input_fault)fault, (unsigned)us);
}

void order_bounce(struct words *words)
{
	double us = number(words, 1, "microseconds", 0, 1e6);
	if (!words->is_refused)
		inputs_bounce((unsigned)us);
}

static void drive_button(int is_up, int unused)
{
	(void)unused;
	chip_drive('D', 2, is_up);
}

void order_button(struct words *words)
{
	int is_down = choice(words, 1, "button", off_on);
	if (!words->is_refused)
		drive_button(!is_down, 0);
}

void order_press(struct words *words)
{
	double ms = number_or(words, 1, "milliseconds", MOST_MS, 120), us = number_or(words, 2, "microseconds", 1e6, 0);
	if (words->is_refused)
		return;
	agenda_drop(BUTTON_TAG);
	drive_button(0, 0);
	for (int turn = 1; turn <= 6 && us > 0; turn++) /* contacts that bounce at both ends */
		for (int end = 0; end < 2; end++)
			agenda_add(avr->cycle + (uint64_t)(end * ms * CYCLES_PER_MS + turn * us / 6 * CYCLES_PER_US), BUTTON_TAG,
				   drive_button, (turn % 2) ^ end, 0);
	agenda_add(avr->cycle + (uint64_t)(ms * CYCLES_PER_MS + us * CYCLES_PER_US) + 1, BUTTON_TAG, drive_button, 1, 0);
}
