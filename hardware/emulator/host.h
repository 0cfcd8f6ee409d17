/* The host's end of the serial line: what the cable does to the bytes, and how fast they come. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>

enum host_way { TO_BOARD, TO_HOST };

struct host_counts {
	uint64_t taken;   /* bytes read from the pseudo-terminal */
	uint64_t given;   /* bytes written to it */
	uint64_t unread;  /* bytes for which nobody had the port open, or nobody read */
	uint64_t damaged[2], dropped[2]; /* by fault injection: to the board, to the host */
	uint64_t framing_errors; /* at the host */
	uint64_t opens;
};

struct host_plan {
	long baud;          /* 0: what the program on the other end has set */
	bool resets_on_open; /* as the DTR line does on a Nano */
};

void host_open(const struct host_plan *plan, uint32_t seed);

/* The cable: what waits in either direction is lost with it. */
bool host_plug(const char *link);
void host_unplug(void);

long host_baud(void);

/* Shares from 0 to 1 of the bytes of one direction. */
void host_spoil(enum host_way way, double damaged, double dropped);
void host_seed(uint32_t seed);

/* Holds the line to the board down for so many bit times. */
void host_break(int bit_count);
/* Puts a byte on the line that the program on the other end didn't send. False when the queue is full. */
bool host_inject(uint8_t byte);

/* What waits to go to the board. */
int host_waiting(void);

/* Moves bytes between line and pseudo-terminal; every tick. */
void host_tick(void);

/* The board has begun a byte. */
void host_hears(void);

const struct host_counts *host_counts(void);

#endif
