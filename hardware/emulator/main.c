/* cowboard-board: the board's controller without the board. Runs an ATmega328P image with the peripherals of README.md
 * round it, its serial line on a pseudo-terminal, its world behind a control socket. One thread. */
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agenda.h"
#include "chain.h"
#include "chip.h"
#include "control.h"
#include "eeprom.h"
#include "host.h"
#include "inputs.h"
#include "leds.h"
#include "orders.h"
#include "pace.h"
#include "port.h"
#include "power.h"
#include "report.h"
#include "timers.h"
#include "usart.h"

#define PARENT_TICKS 500
#define TICK_CYCLES (100 * CYCLES_PER_US) /* how often the chip's time and the world's meet */

static const char usage[] =
	"usage: cowboard-board --image FILE [options]\n"
	"  --image FILE          ELF or hex for the ATmega328P\n"
	"  --link PATH           symbolic link to the pseudo-terminal\n"
	"  --control PATH        the control socket\n"
	"  --pace FACTOR         1: real time (default), 0: as fast as it goes\n"
	"  --baud N              the host's line speed, whatever its program sets\n"
	"  --reset-on-open       reset the board when the port is opened, as a Nano does\n"
	"  --boot-ms N           a boot loader's wait after reset and power-on\n"
	"  --eeprom FILE         EEPROM content, kept there\n"
	"  --supply MV           supply voltage (5000); --bod MV: brown-out level (2700), 0: none\n"
	"  --divider SHARE       share of the supply on PC0 (0.2)\n"
	"  --leds N              LEDs on the strip (139); --led-ma MA: one colour at full (18)\n"
	"  --pictures FILE       one line of JSON for each picture\n"
	"  --closed-high         closed switches read 1 (default: 0, switch to ground)\n"
	"  --seed N              of everything that looks random (0)\n"
	"  --seconds S           end after so much of the chip's time, with the counts on stdout\n"
	"  --with-parent         end when the standard input ends\n";

struct options {
	const char *image, *link, *control, *eeprom;
	double pace, seconds;
	struct host_plan host;
	struct power_plan power;
	struct led_plan leds;
	bool closed_is_high, ends_with_parent;
	int supply_mv;
	uint32_t seed;
};

static volatile sig_atomic_t is_stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	is_stopped = 1;
}

static double number(const char *name, const char *text, double low, double high)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !(value >= low && value <= high)) {
		fprintf(stderr, "cowboard-board: --%s: %s is not usable; accepted: %g to %g\n", name, text, low, high);
		exit(2);
	}
	return value;
}

static struct options read_options(int count, char **words)
{
	static const struct option known[] = {
		{"image", 1, 0, 'i'},  {"link", 1, 0, 'l'},	   {"control", 1, 0, 'c'}, {"pace", 1, 0, 'p'},
		{"baud", 1, 0, 'b'},   {"reset-on-open", 0, 0, 'r'}, {"boot-ms", 1, 0, 'B'}, {"eeprom", 1, 0, 'e'},
		{"supply", 1, 0, 's'}, {"bod", 1, 0, 'o'},	   {"divider", 1, 0, 'd'}, {"leds", 1, 0, 'n'},
		{"led-ma", 1, 0, 'm'}, {"pictures", 1, 0, 'P'},	   {"closed-high", 0, 0, 'h'}, {"seed", 1, 0, 'S'},
		{"seconds", 1, 0, 't'}, {"with-parent", 0, 0, 'w'}, {0, 0, 0, 0}};
	struct options options = {.pace = 1, .supply_mv = 5000, .power = {2700, 0.2, 0}, .leds = {139, 18, 1, NULL}};
	int which, index = 0;
	while ((which = getopt_long(count, words, "", known, &index)) != -1)
		switch (which) {
		case 'i': options.image = optarg; break;
		case 'l': options.link = optarg; break;
		case 'c': options.control = optarg; break;
		case 'p': options.pace = number("pace", optarg, 0, 1000); break;
		case 'b': options.host.baud = (long)number("baud", optarg, 300, 4e6); break;
		case 'r': options.host.resets_on_open = true; break;
		case 'B': options.power.boot_ms = (int)number("boot-ms", optarg, 0, 60000); break;
		case 'e': options.eeprom = optarg; break;
		case 's': options.supply_mv = (int)number("supply", optarg, 0, 6000); break;
		case 'o': options.power.bod_mv = (int)number("bod", optarg, 0, 6000); break;
		case 'd': options.power.sense_share = number("divider", optarg, 0, 1); break;
		case 'n': options.leds.count = (int)number("leds", optarg, 1, LEDS_MOST); break;
		case 'm': options.leds.channel_ma = number("led-ma", optarg, 0, 100); break;
		case 'P': options.leds.log_path = optarg; break;
		case 'h': options.closed_is_high = true; break;
		case 'S': options.seed = (uint32_t)number("seed", optarg, 0, 4294967295.0); break;
		case 't': options.seconds = number("seconds", optarg, 0, 1e9); break;
		case 'w': options.ends_with_parent = true; break;
		default: fputs(usage, stderr); exit(2);
		}
	if (!options.image || optind < count) {
		fputs(usage, stderr);
		exit(2);
	}
	return options;
}

static bool open_all(const struct options *options)
{
	if (!chip_open(options->image, options->seed))
		return false;
	timers_open();
	usart_open(host_hears);
	chain_open();
	inputs_open(!options->closed_is_high, options->seed);
	power_open(&options->power);
	host_open(&options->host, options->seed);
	report_open(options->leds.count);
	orders_open(options->image);
	if (!eeprom_open(options->eeprom) || !leds_open(&options->leds) ||
	    !host_plug(options->link) || !control_open(options->control))
		return false;
	chip_drive('D', 2, true); /* the button's pull-up */
	return true;
}

/* The program that started us holds the other end of our standard input; it vanishes however that program ends. */
static bool is_alone(void)
{
	static unsigned ticks;
	struct pollfd input = {.fd = 0, .events = POLLIN};
	char unread[64];
	if (ticks++ % PARENT_TICKS != 0 || poll(&input, 1, 0) <= 0)
		return false;
	return read(0, unread, sizeof unread) <= 0;
}

static void run(const struct options *options)
{
	uint64_t end = (uint64_t)(options->seconds * 1000 * CYCLES_PER_MS);
	pace_set(options->pace);
	power_set(options->supply_mv);
	while (!is_stopped && !orders_want_end() && !(end && avr->cycle >= end)) {
		agenda_run(avr->cycle);
		chip_run_until(avr->cycle + TICK_CYCLES);
		leds_tick();
		host_tick();
		control_tick();
		eeprom_save(false);
		pace_wait();
		if (options->ends_with_parent && is_alone())
			break;
	}
}

int main(int count, char **words)
{
	static struct reply report;
	struct sigaction action = {.sa_handler = stop};
	struct options options = read_options(count, words);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	if (!open_all(&options))
		return 2;
	printf("{\"ok\":true,\"port\":\"%s\",\"pid\":%d}\n", port_path(), (int)getpid());
	fflush(stdout);
	run(&options);
	eeprom_save(true);
	port_close();
	control_close();
	if (options.seconds > 0) {
		reply_begin(&report);
		report_stats(&report);
		reply_end(&report);
		fputs(report.text, stdout);
	}
	return chip_counts()->is_crashed;
}
