/* Things to do at a given cycle: inputs that change while a cow slides, a button let go, a supply that comes back. */
#ifndef AGENDA_H
#define AGENDA_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*agenda_act)(int first, int second);

/* Adds one; entries of the same time keep their order. False when it is full. */
bool agenda_add(uint64_t cycle, int tag, agenda_act act, int first, int second);

/* Drops what waits under a tag. */
void agenda_drop(int tag);

/* Does everything that is due. */
void agenda_run(uint64_t now);

int agenda_count(void);

#endif
