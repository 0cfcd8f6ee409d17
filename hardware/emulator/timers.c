/* A timer that clears on compare match with OCRnA = 0, its value after reset, matches at every clock on the chip; in simavr
 * 1.6 it never does. It is given OCRnA = 1 in place of 0 there: half as often, but it runs. */
#include "timers.h"

#include "chip.h"

enum { OCR0A = 0x47, OCR2A = 0xb3, OCR1AL = 0x88, OCR1AH = 0x89 };
enum { TCCR0A = 0x44, TCCR0B = 0x45, TCCR1A = 0x80, TCCR1B = 0x81, TCCR2A = 0xb0, TCCR2B = 0xb1 };
#define TIMER_COUNT 3

static const struct timer {
	uint16_t compare_low, compare_high, control_a, control_b;
	uint8_t mode_a, mode_a_mask, mode_b, mode_b_mask;
} timers[TIMER_COUNT] = {
	{OCR0A, 0, TCCR0A, TCCR0B, 2, 3, 0, 8},
	{OCR1AL, OCR1AH, TCCR1A, TCCR1B, 0, 3, 8, 0x18},
	{OCR2A, 0, TCCR2A, TCCR2B, 2, 3, 0, 8},
};
static struct taken {
	const struct timer *timer;
	avr_io_write_t write; /* simavr's own */
	void *param;
} taken[3 * TIMER_COUNT];

static void put_right(const struct timer *timer)
{
	bool clears_on_match = (avr->data[timer->control_a] & timer->mode_a_mask) == timer->mode_a &&
			       (avr->data[timer->control_b] & timer->mode_b_mask) == timer->mode_b;
	bool is_zero = !avr->data[timer->compare_low] && !(timer->compare_high && avr->data[timer->compare_high]);
	const struct taken *compare = &taken[timer - timers];
	if (clears_on_match && is_zero && (avr->data[timer->control_b] & 7) && compare->write)
		compare->write(avr, timer->compare_low, 1, compare->param);
}

static void written(avr_t *chip, avr_io_addr_t address, uint8_t value, void *param)
{
	const struct taken *one = param;
	one->write(chip, address, value, one->param);
	put_right(one->timer);
}

static void take(struct taken *one, const struct timer *timer, uint16_t address)
{
	avr_io_addr_t io = AVR_DATA_TO_IO(address);
	if (!avr->io[io].w.c)
		return;
	*one = (struct taken){timer, avr->io[io].w.c, avr->io[io].w.param};
	avr->io[io].w.c = written;
	avr->io[io].w.param = one;
}

void timers_open(void)
{
	for (int number = 0; number < TIMER_COUNT; number++) {
		take(&taken[number], &timers[number], timers[number].compare_low);
		take(&taken[TIMER_COUNT + number], &timers[number], timers[number].control_a);
		take(&taken[2 * TIMER_COUNT + number], &timers[number], timers[number].control_b);
	}
}
