#include "report.h"

#include "chain.h"
#include "chip.h"
#include "eeprom.h"
#include "host.h"
#include "leds.h"
#include "pace.h"
#include "port.h"
#include "power.h"
#include "usart.h"

static int led_count;

void report_open(int count)
{
	led_count = count;
}

int report_led_count(void)
{
	return led_count;
}

static void chip_part(struct reply *reply)
{
	static const char *const causes[] = {"power", "pin", "brown_out", "watchdog"};
	const struct chip_counts *chip = chip_counts();
	reply_open(reply, "chip", '{');
	reply_number(reply, "us", (double)(avr->cycle / CYCLES_PER_US));
	reply_flag(reply, "running", power_is_running());
	reply_flag(reply, "asleep", avr->state == cpu_Sleeping);
	reply_flag(reply, "crashed", chip->is_crashed);
	reply_number(reply, "pc", chip->is_crashed ? chip->crashed_at : avr->pc);
	reply_number(reply, "supply_mv", power_mv());
	reply_number(reply, "ram_static", chip_ram_static());
	reply_number(reply, "ram_headroom", chip_stack_headroom());
	reply_number(reply, "ram_headroom_least", chip_stack_least());
	reply_number(reply, "eeprom_writes", (double)eeprom_writes());
	reply_open(reply, "resets", '{');
	for (int cause = 0; cause < 4; cause++)
		reply_number(reply, causes[cause], (double)chip->resets[cause]);
	reply_close(reply, '}');
	reply_close(reply, '}');
}

static void line_part(struct reply *reply)
{
	const struct usart_counts *usart = usart_counts();
	const struct host_counts *host = host_counts();
	reply_open(reply, "line", '{');
	reply_text(reply, "port", port_path());
	reply_flag(reply, "open", port_is_open());
	reply_number(reply, "host_baud", (double)host_baud());
	reply_number(reply, "board_baud", CYCLES_PER_US * 1e6 / usart_bit());
	reply_number(reply, "opens", (double)host->opens);
	reply_number(reply, "taken", (double)host->taken);
	reply_number(reply, "given", (double)host->given);
	reply_number(reply, "unread", (double)host->unread);
	reply_number(reply, "waiting", host_waiting());
	reply_number(reply, "heard", (double)usart->heard);
	reply_number(reply, "lost", (double)usart->lost);
	reply_number(reply, "unheard", (double)usart->unheard);
	reply_number(reply, "most_held", usart->most_held);
	reply_number(reply, "sent", (double)usart->sent);
	reply_number(reply, "board_framing_errors", (double)usart->framing_errors);
	reply_number(reply, "host_framing_errors", (double)host->framing_errors);
	reply_number(reply, "damaged_in", (double)host->damaged[TO_BOARD]);
	reply_number(reply, "damaged_out", (double)host->damaged[TO_HOST]);
	reply_number(reply, "dropped_in", (double)host->dropped[TO_BOARD]);
	reply_number(reply, "dropped_out", (double)host->dropped[TO_HOST]);
	reply_close(reply, '}');
}

static void led_part(struct reply *reply)
{
	const struct led_counts *leds = leds_counts();
	reply_open(reply, "leds", '{');
	reply_number(reply, "pictures", (double)leds->pictures);
	reply_number(reply, "broken_pictures", (double)leds->broken_pictures);
	reply_number(reply, "bits", (double)leds->bits);
	reply_number(reply, "bad_bits", (double)leds->bad_bits);
	reply_number(reply, "bad_highs", (double)leds->bad_highs);
	reply_number(reply, "bad_lows", (double)leds->bad_lows);
	reply_number(reply, "gaps", (double)leds->gaps);
	reply_number(reply, "shortest_0_ns", leds->shortest_0_ns);
	reply_number(reply, "longest_0_ns", leds->longest_0_ns);
	reply_number(reply, "shortest_1_ns", leds->shortest_1_ns);
	reply_number(reply, "longest_1_ns", leds->longest_1_ns);
	reply_number(reply, "shortest_low_ns", leds->shortest_low_ns);
	reply_number(reply, "longest_low_ns", leds->longest_low_ns);
	reply_number(reply, "longest_pause_us", (double)leds->longest_pause_us);
	reply_number(reply, "most_ma", leds->most_ma);
	reply_close(reply, '}');
}

void report_stats(struct reply *reply)
{
	const struct chain_counts *chain = chain_counts();
	struct pace_counts pace = pace_counts();
	chip_part(reply);
	line_part(reply);
	led_part(reply);
	reply_open(reply, "chain", '{');
	reply_number(reply, "latches", (double)chain->latches);
	reply_number(reply, "bytes", (double)chain->bytes);
	reply_number(reply, "whole_reads", (double)chain->whole_reads);
	reply_number(reply, "collisions", (double)chain->collisions);
	reply_number(reply, "longest_gap_us", (double)chain->longest_gap_us);
	reply_close(reply, '}');
	reply_open(reply, "pace", '{');
	reply_number(reply, "factor", pace_factor());
	reply_number(reply, "wall_s", pace.wall_s);
	reply_number(reply, "cpu_s", pace.cpu_s);
	reply_number(reply, "latest_us", (double)pace.latest_us);
	reply_number(reply, "slipped_us", (double)pace.slipped_us);
	reply_close(reply, '}');
}
