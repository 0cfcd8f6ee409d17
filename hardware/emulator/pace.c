#include "pace.h"

#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>

#include "chip.h"

#define SLIP_NS 100000000ull /* behind by more than this: time is given up, else it would rush */
#define WORTH_NS 20000

static double factor = 1;
static uint64_t base_ns, base_cycle;
static struct pace_counts counts;
static uint64_t started_ns;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

static void begin(void)
{
	base_ns = clock_ns(CLOCK_MONOTONIC);
	base_cycle = avr->cycle;
}

void pace_set(double wanted)
{
	factor = wanted;
	prctl(PR_SET_TIMERSLACK, 1000ul);
	begin();
	if (!started_ns)
		started_ns = base_ns;
}

double pace_factor(void)
{
	return factor;
}

uint64_t pace_at_ns(uint64_t cycle)
{
	if (factor <= 0)
		return clock_ns(CLOCK_MONOTONIC);
	return base_ns + (uint64_t)(int64_t)((double)(int64_t)(cycle - base_cycle) * (1000.0 / CYCLES_PER_US) / factor);
}

void pace_wait(void)
{
	if (factor <= 0)
		return;
	uint64_t due = pace_at_ns(avr->cycle), now = clock_ns(CLOCK_MONOTONIC);
	if (due > now + WORTH_NS) {
		struct timespec until = {(time_t)(due / 1000000000ull), (long)(due % 1000000000ull)};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		return;
	}
	uint64_t late = now > due ? now - due : 0;
	if (late / 1000 > counts.latest_us)
		counts.latest_us = late / 1000;
	if (late > SLIP_NS) {
		counts.slipped_us += late / 1000;
		begin();
	}
}

struct pace_counts pace_counts(void)
{
	counts.cpu_s = (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9;
	counts.wall_s = (double)(clock_ns(CLOCK_MONOTONIC) - started_ns) / 1e9;
	return counts;
}
