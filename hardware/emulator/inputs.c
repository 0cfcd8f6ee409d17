#include "inputs.h"

#include <string.h>

#include "chip.h"

#define BOUNCE_SLOT_US 70 /* contacts of reed switches close and open again within some tens of microseconds */

static struct {
	bool is_closed;
	enum input_fault fault;
	uint64_t changed_at, period;
} inputs[INPUT_COUNT];
static bool is_inverted;
static uint64_t bounce_cycles;
static uint32_t seed;

void inputs_open(bool closed_is_low, uint32_t wanted_seed)
{
	is_inverted = closed_is_low;
	seed = wanted_seed;
}

void inputs_set(int input, int is_closed)
{
	if (inputs[input].is_closed == (bool)is_closed)
		return;
	inputs[input].is_closed = is_closed;
	inputs[input].changed_at = avr->cycle;
}

bool inputs_is_closed(int input)
{
	return inputs[input].is_closed;
}

void inputs_bounce(unsigned us)
{
	bounce_cycles = us * CYCLES_PER_US;
}

void inputs_spoil(int input, enum input_fault fault, unsigned period_us)
{
	inputs[input].fault = fault;
	inputs[input].period = (period_us ? period_us : 1) * CYCLES_PER_US;
}

/* Looks random, but belongs to seed, input and moment. */
static bool coin(int input, uint64_t moment)
{
	uint64_t mixed = (moment * 0x9e3779b97f4a7c15ull) ^ ((uint64_t)seed << 32) ^ (uint64_t)input * 0xff51afd7ed558ccdull;
	mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53ull;
	return mixed >> 63;
}

static bool reads_closed(int input)
{
	uint64_t period = inputs[input].period ? avr->cycle / inputs[input].period : 0;
	switch (inputs[input].fault) {
	case INPUT_STUCK_OPEN:
		return false;
	case INPUT_STUCK_CLOSED:
		return true;
	case INPUT_CHATTERS:
		return period % 2;
	case INPUT_IS_WEAK:
		return inputs[input].is_closed && coin(input, period);
	case INPUT_IS_GHOST:
		return inputs[input].is_closed || period % 100 < 70;
	case INPUT_SOUND:
		break;
	}
	bool is_bouncing = inputs[input].changed_at && avr->cycle - inputs[input].changed_at < bounce_cycles;
	return is_bouncing ? coin(input, avr->cycle / (BOUNCE_SLOT_US * CYCLES_PER_US)) : inputs[input].is_closed;
}

void inputs_levels(uint8_t levels[CHIP_COUNT])
{
	memset(levels, 0, CHIP_COUNT);
	for (int input = 0; input < INPUT_COUNT; input++)
		if (reads_closed(input) != is_inverted)
			levels[input / 8] |= (uint8_t)(0x80 >> input % 8);
}
