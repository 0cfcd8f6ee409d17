/* The paint between the variables and the stack: what is still untouched says how deep the stack has been. */
#ifndef COWBOARD_STACK_H
#define COWBOARD_STACK_H

#include <stdint.h>

extern uint8_t _end; /* the first byte behind all variables */
#define UNTOUCHED 0xC5

#endif
