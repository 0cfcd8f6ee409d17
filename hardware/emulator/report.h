/* Everything the emulator counts, as members of a reply. */
#ifndef REPORT_H
#define REPORT_H

#include "reply.h"

void report_open(int led_count);
void report_stats(struct reply *reply);
int report_led_count(void);

#endif
