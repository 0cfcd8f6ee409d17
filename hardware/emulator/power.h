/* What feeds the chip and what holds it in reset: supply voltage, brown-out detector, reset line. */
#ifndef POWER_H
#define POWER_H

#include <stdbool.h>

struct power_plan {
	int bod_mv;          /* 2700 as a Nano's fuses say; 0: detector off */
	double sense_share;  /* share of the supply that the divider puts on PC0 */
	int boot_ms;         /* how long a boot loader keeps the program waiting after a reset by pin or power */
};

void power_open(const struct power_plan *plan);

/* The supply in millivolts; below 1 V the chip forgets its RAM. */
void power_set(int mv);
int power_mv(void);

/* Pulls the reset line for so long (at least 1 ms). */
void power_reset(int ms);

bool power_is_running(void);

#endif
