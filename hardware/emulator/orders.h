/* The commands of the control socket. README.md lists them; `help` does too. */
#ifndef ORDERS_H
#define ORDERS_H

#include <stdbool.h>

#include "reply.h"

/* Carries out one line and puts the answer in `reply`. */
void orders_carry_out(char *line, struct reply *reply);

/* What isn't up to the chip: the image's path for `hello`. */
void orders_open(const char *image_path);

/* Whether `quit` has come. */
bool orders_want_end(void);

#endif
