/* Keeps the chip's time to the machine's: real time, a multiple of it, or as fast as it goes. */
#ifndef PACE_H
#define PACE_H

#include <stdint.h>

struct pace_counts {
	uint64_t slipped_us; /* given up after the machine had been busy for too long */
	uint64_t latest_us;  /* how far the chip was behind at worst */
	double cpu_s, wall_s;
};

/* 1 is real time, 0 as fast as it goes. */
void pace_set(double factor);
double pace_factor(void);

/* Waits until the chip's time is due. */
void pace_wait(void);

/* The machine's monotonic clock in nanoseconds at a cycle of the chip; at pace 0 that is now. */
uint64_t pace_at_ns(uint64_t cycle);

struct pace_counts pace_counts(void);

#endif
