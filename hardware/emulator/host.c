/* How it works: bytes of the program on the other end wait in a queue of our own, short enough that the rest stays in
 * the kernel and the program feels it. They leave it one by one, each as long on the line as its ten bits last. */
#include "host.h"

#include <string.h>

#include "chip.h"
#include "port.h"
#include "power.h"
#include "usart.h"

#define QUEUE 4096
#define BREAK_MARK 0x100
#define SPEED_TICKS 10
#define DEFAULT_BAUD 115200

static struct host_plan plan;
static struct host_counts counts;
static bool is_line_busy, is_hearing;
static long baud = DEFAULT_BAUD;
static uint16_t queue[QUEUE];
static unsigned queue_in, queue_out;
static uint8_t to_program[QUEUE];
static unsigned to_program_count;
static double damaged_share[2], dropped_share[2];
static uint64_t chance;
static double hear_begin, hear_bit, discard_from;

static double random_share(void)
{
	chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
	return (double)(chance >> 11) / 9007199254740992.0;
}

/* What the cable leaves of a byte: the byte, another one, or -1. */
static int carried(enum host_way way, uint8_t byte)
{
	if (dropped_share[way] > 0 && random_share() < dropped_share[way]) {
		counts.dropped[way]++;
		return -1;
	}
	if (damaged_share[way] > 0 && random_share() < damaged_share[way]) {
		counts.damaged[way]++;
		return byte ^ (1 + (int)(random_share() * 255));
	}
	return byte;
}

static double bit_cycles(void)
{
	return (double)CYCLES_PER_US * 1e6 / (double)baud;
}

/* --- to the board --- */

static avr_cycle_count_t piece_gone(avr_t *chip, avr_cycle_count_t when, void *param);

static void send_next(double begin)
{
	if (is_line_busy || queue_in == queue_out)
		return;
	uint16_t piece = queue[queue_out++ % QUEUE];
	struct wire *wire = usart_from_host();
	if (piece & BREAK_MARK)
		wire_put_break(wire, begin, bit_cycles(), piece & 0xff);
	else
		wire_put(wire, begin, bit_cycles(), (uint8_t)piece, 1);
	is_line_busy = true;
	double gap = wire_end(wire) - (double)avr->cycle;
	avr_cycle_timer_register(avr, gap < 1 ? 1 : (uint64_t)gap, piece_gone, NULL);
	usart_listen();
}

static avr_cycle_count_t piece_gone(avr_t *chip, avr_cycle_count_t when, void *param)
{
	(void)chip, (void)when, (void)param;
	is_line_busy = false;
	send_next(wire_end(usart_from_host()));
	return 0;
}

static bool enqueue(uint16_t piece)
{
	if (queue_in - queue_out == QUEUE)
		return false;
	queue[queue_in++ % QUEUE] = piece;
	return true;
}

/* While the chip stands still its timers do too: the line goes on by itself, and nobody listens. */
static void discard(void)
{
	if (power_is_running()) {
		discard_from = (double)avr->cycle;
		return;
	}
	is_line_busy = false;
	for (; queue_in != queue_out && discard_from + 10 * bit_cycles() < (double)avr->cycle; queue_out++)
		discard_from += 10 * bit_cycles();
	if (queue_in == queue_out)
		discard_from = (double)avr->cycle;
}

static void watch_opens(void)
{
	int change = port_watch();
	if (change < 0)
		to_program_count = 0;
	if (change <= 0)
		return;
	counts.opens++;
	if (plan.resets_on_open)
		power_reset(1);
}

static void look_at_speed(void)
{
	long set = port_is_plugged() ? port_speed() : 0;
	baud = plan.baud ? plan.baud : set > 0 ? set : DEFAULT_BAUD;
}

static void take_from_program(void)
{
	uint8_t bytes[1024];
	unsigned room = QUEUE - (queue_in - queue_out);
	if (room < QUEUE / 2)
		return;
	ssize_t got = port_read(bytes, room < sizeof bytes ? room : sizeof bytes);
	if (got <= 0)
		return;
	watch_opens(); /* it may have been opened and written to since this tick looked */
	look_at_speed();
	counts.taken += (uint64_t)got;
	for (ssize_t number = 0; number < got; number++) {
		int byte = carried(TO_BOARD, bytes[number]);
		if (byte >= 0)
			enqueue((uint16_t)byte);
	}
	if (power_is_running())
		send_next((double)avr->cycle);
}

/* --- to the program --- */

static avr_cycle_count_t host_stop_bit(avr_t *chip, avr_cycle_count_t when, void *param);

static void begin_hearing(double begin)
{
	is_hearing = true;
	hear_begin = begin;
	hear_bit = bit_cycles();
	double gap = begin + 9.5 * hear_bit - (double)avr->cycle;
	avr_cycle_timer_register(avr, gap < 1 ? 1 : (uint64_t)gap, host_stop_bit, NULL);
}

static avr_cycle_count_t host_stop_bit(avr_t *chip, avr_cycle_count_t when, void *param)
{
	(void)chip, (void)when, (void)param;
	struct wire_byte got = wire_read(usart_from_board(), hear_begin, hear_bit);
	counts.framing_errors += !got.has_stop;
	int byte = carried(TO_HOST, got.byte);
	if (byte >= 0 && port_is_open() && to_program_count < sizeof to_program)
		to_program[to_program_count++] = (uint8_t)byte;
	else if (byte >= 0)
		counts.unread++;
	is_hearing = false;
	double next = wire_fall(usart_from_board(), hear_begin + 9.5 * hear_bit);
	if (next >= 0)
		begin_hearing(next);
	return 0;
}

void host_hears(void)
{
	if (!is_hearing)
		begin_hearing(wire_begin(usart_from_board()));
}

static void give_to_program(void)
{
	if (to_program_count == 0)
		return;
	ssize_t gone = port_write(to_program, to_program_count);
	if (gone <= 0)
		return;
	counts.given += (uint64_t)gone;
	to_program_count -= (unsigned)gone;
	memmove(to_program, to_program + gone, to_program_count);
}

/* --- the cable --- */

bool host_plug(const char *link)
{
	to_program_count = queue_in = queue_out = 0;
	return port_plug(link);
}

void host_unplug(void)
{
	port_unplug();
	to_program_count = queue_in = queue_out = 0;
}

static void after_reset(void)
{
	is_line_busy = is_hearing = false; /* simavr has dropped every timer */
	send_next((double)avr->cycle);
}

void host_open(const struct host_plan *wanted, uint32_t seed)
{
	plan = *wanted;
	if (plan.baud)
		baud = plan.baud;
	host_seed(seed);
	chip_on_reset(after_reset);
}

void host_tick(void)
{
	static unsigned ticks;
	discard();
	if (!port_is_plugged())
		return;
	watch_opens();
	if (ticks++ % SPEED_TICKS == 0)
		look_at_speed(); /* the board may speak first */
	take_from_program();
	give_to_program();
}

void host_spoil(enum host_way way, double damaged, double dropped)
{
	damaged_share[way] = damaged;
	dropped_share[way] = dropped;
}

void host_seed(uint32_t seed)
{
	chance = 0x9e3779b97f4a7c15ull * (seed + 1ull);
}

void host_break(int bit_count)
{
	look_at_speed();
	enqueue((uint16_t)(BREAK_MARK | (bit_count > 255 ? 255 : bit_count)));
	if (power_is_running())
		send_next((double)avr->cycle);
}

bool host_inject(uint8_t byte)
{
	look_at_speed();
	bool is_taken = enqueue(byte);
	if (power_is_running())
		send_next((double)avr->cycle);
	return is_taken;
}

int host_waiting(void)
{
	return (int)(queue_in - queue_out);
}

long host_baud(void)
{
	return baud;
}

const struct host_counts *host_counts(void)
{
	return &counts;
}
