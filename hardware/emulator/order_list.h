/* Every order of the control socket but those that `orders.c` keeps to itself. README.md says what each does. */
#ifndef ORDER_LIST_H
#define ORDER_LIST_H

#include "words.h"

void order_set_input(struct words *words);
void order_set_all_inputs(struct words *words);
void order_slide(struct words *words);
void order_plan(struct words *words);
void order_spoil(struct words *words);
void order_bounce(struct words *words);
void order_button(struct words *words);
void order_press(struct words *words);
void order_supply(struct words *words);
void order_power(struct words *words);
void order_reset(struct words *words);
void order_unplug(struct words *words);
void order_replug(struct words *words);
void order_line(struct words *words);
void order_seed(struct words *words);
void order_send_break(struct words *words);
void order_inject(struct words *words);
void order_show_leds(struct words *words);
void order_show_pictures(struct words *words);
void order_stats(struct words *words);
void order_forget(struct words *words);
void order_show_eeprom(struct words *words);

#endif
