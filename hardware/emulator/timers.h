/* What simavr's timers do otherwise than the chip's. */
#ifndef TIMERS_H
#define TIMERS_H

void timers_open(void);

#endif
