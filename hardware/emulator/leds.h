/* The LED strip on PD6: reads the bits as a WS2812B does, and measures every pulse against its data sheets.
 *
 *   0:  ‾‾‾‾\__________   high 250..380 ns, low at least 580 ns
 *   1:  ‾‾‾‾‾‾‾‾‾‾\____   high 650..950 ns, low at least 220 ns
 *
 * The windows are what the first WS2812B and its newest version (V5) have in common. A low of 50 us ends a picture;
 * one of more than 6 us within a picture is a gap at which strips have been seen to show half of it. */
#ifndef LEDS_H
#define LEDS_H

#include <stdbool.h>
#include <stdint.h>

#define LEDS_MOST 300
#define PICTURES_KEPT 256

struct picture {
	uint64_t number;             /* counts from 1 */
	uint64_t began, ended;       /* cycles: first rise, last fall */
	int bits, bad_bits, gaps;
	int longest_low_ns;
	double ma;                   /* what the strip draws while it shows it */
	bool is_whole;               /* exactly so many LEDs as the strip has */
	uint8_t rgb[LEDS_MOST][3];
};

struct led_counts {
	uint64_t pictures, broken_pictures;    /* broken: not 24 bits for each LED */
	uint64_t bits, bad_bits, gaps;
	uint64_t bad_highs, bad_lows;
	int shortest_0_ns, longest_0_ns, shortest_1_ns, longest_1_ns; /* highs */
	int shortest_low_ns, longest_low_ns;  /* within pictures */
	uint64_t longest_pause_us;            /* between two pictures' ends */
	double most_ma;
};

struct led_plan {
	int count;          /* LEDs on the strip */
	double channel_ma;  /* one of an LED's three colours at full */
	double dark_ma;     /* an LED that shows nothing */
	const char *log_path; /* one line a picture, or NULL */
};

bool leds_open(const struct led_plan *plan);

/* Ends the picture whose pause has become long enough; every tick. */
void leds_tick(void);
/* Without power the strip is dark and forgets. */
void leds_lose_power(void);
/* All counts and extremes from zero again. */
void leds_forget(void);

/* The newest picture; NULL before the first. */
const struct picture *leds_newest(void);
/* A picture by number; NULL where it isn't kept any more. */
const struct picture *leds_picture(uint64_t number);
const struct led_counts *leds_counts(void);

#endif
