#include "leds.h"

#include <stdio.h>
#include <string.h>

#include "chip.h"

enum { /* nanoseconds */
	ZERO_LEAST = 250, ZERO_MOST = 380,
	ONE_LEAST = 650, ONE_MOST = 950,
	DECIDES = 515, /* halfway between the two */
	LOW_AFTER_0_LEAST = 580, LOW_AFTER_1_LEAST = 220,
	GAP = 6000,
	LATCH = 50000,
};

static struct led_plan plan;
static struct led_counts counts;
static struct picture kept[PICTURES_KEPT];
static struct picture building;
static uint64_t pictures_ever, ended_before;
static avr_cycle_count_t rose_at, fell_at;
static bool is_high, was_one;
static FILE *log_file;

static int ns(uint64_t cycles)
{
	return cycles > 2000 * CYCLES_PER_US ? 2000000 : (int)(cycles * 1000 / CYCLES_PER_US);
}

static void least(int *kept_value, int value)
{
	if (*kept_value == 0 || value < *kept_value)
		*kept_value = value;
}

static void most(int *kept_value, int value)
{
	if (value > *kept_value)
		*kept_value = value;
}

static void write_log(const struct picture *picture)
{
	fprintf(log_file, "{\"n\":%llu,\"began_us\":%.4f,\"ended_us\":%.4f,\"bits\":%d,\"bad_bits\":%d,\"gaps\":%d,\"ma\":%.1f}\n",
		(unsigned long long)picture->number, (double)picture->began / CYCLES_PER_US,
		(double)picture->ended / CYCLES_PER_US, picture->bits, picture->bad_bits, picture->gaps, picture->ma);
}

static double current(const struct picture *picture)
{
	unsigned sum = 0;
	for (int led = 0; led < plan.count; led++)
		sum += picture->rgb[led][0] + picture->rgb[led][1] + picture->rgb[led][2];
	return plan.count * plan.dark_ma + sum / 255.0 * plan.channel_ma;
}

static void end_picture(void)
{
	if (building.bits == 0)
		return;
	/* LEDs that got nothing keep what they show */
	const struct picture *before = leds_newest();
	for (int led = building.bits / 24; before && led < plan.count; led++)
		memcpy(building.rgb[led], before->rgb[led], 3);
	building.number = ++pictures_ever;
	building.ended = fell_at;
	building.is_whole = building.bits == plan.count * 24;
	building.ma = current(&building);
	if (building.ma > counts.most_ma)
		counts.most_ma = building.ma;
	counts.pictures++;
	counts.broken_pictures += !building.is_whole;
	if (ended_before && (fell_at - ended_before) / CYCLES_PER_US > counts.longest_pause_us)
		counts.longest_pause_us = (fell_at - ended_before) / CYCLES_PER_US;
	ended_before = fell_at;
	kept[building.number % PICTURES_KEPT] = building;
	if (log_file)
		write_log(&building);
	memset(&building, 0, sizeof building);
}

static void spoil_bit(uint64_t *kind)
{
	(*kind)++;
	counts.bad_bits++;
	building.bad_bits++;
}

static void rise(avr_cycle_count_t now)
{
	int low = building.bits ? ns(now - fell_at) : LATCH;
	if (low >= LATCH) {
		end_picture();
		building.began = now;
	} else {
		least(&counts.shortest_low_ns, low);
		most(&counts.longest_low_ns, low);
		most(&building.longest_low_ns, low);
		if (low < (was_one ? LOW_AFTER_1_LEAST : LOW_AFTER_0_LEAST))
			spoil_bit(&counts.bad_lows);
		if (low > GAP) {
			counts.gaps++;
			building.gaps++;
		}
	}
	rose_at = now;
}

static void fall(avr_cycle_count_t now)
{
	int high = ns(now - rose_at);
	was_one = high >= DECIDES;
	if (was_one) {
		least(&counts.shortest_1_ns, high);
		most(&counts.longest_1_ns, high);
	} else {
		least(&counts.shortest_0_ns, high);
		most(&counts.longest_0_ns, high);
	}
	if (was_one ? high < ONE_LEAST || high > ONE_MOST : high < ZERO_LEAST || high > ZERO_MOST)
		spoil_bit(&counts.bad_highs);
	counts.bits++;
	int led = building.bits / 24, bit = building.bits % 24;
	if (led < LEDS_MOST && was_one) {
		static const int channel[] = {1, 0, 2}; /* on the wire: green, red, blue, highest bit first */
		building.rgb[led][channel[bit / 8]] |= (uint8_t)(0x80 >> bit % 8);
	}
	building.bits++;
	fell_at = now;
}

static void pin_changed(struct avr_irq_t *irq, uint32_t level, void *param)
{
	(void)irq, (void)param;
	avr_cycle_count_t now = chip_store_cycle();
	if (level && !is_high)
		rise(now);
	else if (!level && is_high)
		fall(now);
	is_high = level;
}

static void after_reset(void)
{
	is_high = false; /* the pin floats, the strip's pull-down holds it */
}

bool leds_open(const struct led_plan *wanted)
{
	plan = *wanted;
	if (plan.log_path && !(log_file = fopen(plan.log_path, "w"))) {
		fprintf(stderr, "cowboard-board: %s: can't be written\n", plan.log_path);
		return false;
	}
	chip_on_pin('D', 6, pin_changed);
	chip_on_reset(after_reset);
	return true;
}

void leds_tick(void)
{
	if (building.bits && !is_high && avr->cycle > fell_at && ns(avr->cycle - fell_at) >= LATCH)
		end_picture();
}

void leds_lose_power(void)
{
	memset(&building, 0, sizeof building);
	struct picture *dark = &kept[++pictures_ever % PICTURES_KEPT];
	*dark = (struct picture){.number = pictures_ever, .began = avr->cycle, .ended = avr->cycle, .is_whole = true};
	ended_before = 0;
}

void leds_forget(void)
{
	counts = (struct led_counts){0};
	ended_before = 0;
}

const struct picture *leds_newest(void)
{
	return pictures_ever ? &kept[pictures_ever % PICTURES_KEPT] : NULL;
}

const struct picture *leds_picture(uint64_t number)
{
	bool is_kept = number && number <= pictures_ever && pictures_ever - number < PICTURES_KEPT;
	return is_kept ? &kept[number % PICTURES_KEPT] : NULL;
}

const struct led_counts *leds_counts(void)
{
	return &counts;
}
