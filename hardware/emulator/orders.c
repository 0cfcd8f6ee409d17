/* How it works: a line is cut into words; the first names the order, the rest are its arguments. An order answers with
 * `reply` members of its own, or refuses with what it expected and what it saw. */
#include "orders.h"

#include <string.h>
#include <unistd.h>

#include "order_list.h"
#include "pace.h"
#include "port.h"

static const char *image_path;
static bool is_end_wanted;

static void hello(struct words *words)
{
	reply_text(words->reply, "program", "cowboard-board");
	reply_text(words->reply, "image", image_path);
	reply_text(words->reply, "port", port_path());
	reply_number(words->reply, "pace", pace_factor());
	reply_number(words->reply, "pid", getpid());
}

static void change_pace(struct words *words)
{
	double factor = number(words, 1, "pace", 0, 1000);
	if (!words->is_refused)
		pace_set(factor);
}

static void quit(struct words *words)
{
	(void)words;
	is_end_wanted = true;
}

static void help(struct words *words);

static const struct order {
	const char *name, *arguments;
	void (*carry_out)(struct words *);
} orders[] = {
	{"hello", "", hello},
	{"help", "", help},
	{"input", "N on|off", order_set_input},
	{"inputs", "[N]...", order_set_all_inputs},
	{"slide", "MS FROM TO [DWELL%]", order_slide},
	{"plan", "TAG [MS:N:on|off]...", order_plan},
	{"spoil", "N free|open|closed|chatter|weak|ghost [US]", order_spoil},
	{"bounce", "US", order_bounce},
	{"button", "on|off", order_button},
	{"press", "[MS [BOUNCE_US]]", order_press},
	{"leds", "[PICTURE]", order_show_leds},
	{"pictures", "[SINCE]", order_show_pictures},
	{"stats", "", order_stats},
	{"forget", "", order_forget},
	{"supply", "MV [MS]", order_supply},
	{"power", "off|on|cycle [MS]", order_power},
	{"reset", "[MS]", order_reset},
	{"unplug", "[powered] [MS]", order_unplug},
	{"replug", "[LINK]", order_replug},
	{"line", "in|out|both DAMAGED% [DROPPED%]", order_line},
	{"seed", "N", order_seed},
	{"break", "[BITS]", order_send_break},
	{"inject", "HEX", order_inject},
	{"eeprom", "[ADDRESS HEX]", order_show_eeprom},
	{"pace", "FACTOR", change_pace},
	{"quit", "", quit},
};
#define ORDER_COUNT ((int)(sizeof orders / sizeof *orders))

static void help(struct words *words)
{
	for (int index = 0; index < ORDER_COUNT; index++)
		reply_text(words->reply, orders[index].name, orders[index].arguments);
}

void orders_carry_out(char *text, struct reply *reply)
{
	static struct words words;
	words.count = 0;
	words.reply = reply;
	words.is_refused = false;
	for (char *one = strtok(text, " \t\r"); one && words.count < MOST_WORDS; one = strtok(NULL, " \t\r"))
		words.word[words.count++] = one;
	reply_begin(reply);
	const struct order *order = NULL;
	for (int index = 0; index < ORDER_COUNT; index++)
		if (strcmp(word(&words, 0), orders[index].name) == 0)
			order = &orders[index];
	if (order)
		order->carry_out(&words);
	else
		refuse(&words, "command", words.count ? words.word[0] : "an empty line", "what `help` lists");
	reply_end(reply);
}

void orders_open(const char *path)
{
	image_path = path;
}

bool orders_want_end(void)
{
	return is_end_wanted;
}
