/* How deep the stack has been, by the paint that board.c lays before anything runs. */
#include "stack.h"

#include <avr/io.h>

#include "board.h"

uint16_t board_stack_free(void)
{
    const uint8_t *at = &_end;
    while (*at == UNTOUCHED && at < (const uint8_t *)RAMEND)
        at++;
    return (uint16_t)(at - &_end);
}
