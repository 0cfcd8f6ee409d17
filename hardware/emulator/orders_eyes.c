/* Orders that look: the strip, the counts, the EEPROM. */
#include <string.h>

#include "chip.h"
#include "eeprom.h"
#include "leds.h"
#include "order_list.h"
#include "pace.h"
#include "report.h"

static void picture_members(struct reply *reply, const struct picture *picture)
{
	reply_number(reply, "n", (double)picture->number);
	reply_number(reply, "began_ns", (double)pace_at_ns(picture->began));
	reply_number(reply, "ended_ns", (double)pace_at_ns(picture->ended));
	reply_number(reply, "took_us", (double)(picture->ended - picture->began) / CYCLES_PER_US);
	reply_number(reply, "bits", picture->bits);
	reply_number(reply, "bad_bits", picture->bad_bits);
	reply_number(reply, "gaps", picture->gaps);
	reply_number(reply, "longest_low_ns", picture->longest_low_ns);
	reply_number(reply, "ma", picture->ma);
	reply_flag(reply, "whole", picture->is_whole);
}

void order_show_leds(struct words *words)
{
	const struct picture *picture = leds_newest();
	if (words->count > 1)
		picture = leds_picture((uint64_t)number(words, 1, "picture", 1, 1e15));
	if (words->is_refused)
		return;
	if (!picture) {
		reply_number(words->reply, "n", 0);
		return;
	}
	picture_members(words->reply, picture);
	reply_hex(words->reply, "rgb", picture->rgb[0], (size_t)(picture->is_whole ? report_led_count() : picture->bits / 24) * 3);
}

/* pictures SINCE: those after picture SINCE, the oldest first, without their colours. */
void order_show_pictures(struct words *words)
{
	uint64_t since = (uint64_t)number_or(words, 1, "picture", 1e15, 0);
	const struct picture *newest = leds_newest();
	if (words->is_refused)
		return;
	uint64_t last = newest ? newest->number : 0;
	if (last - since > PICTURES_KEPT - 1)
		since = last - (PICTURES_KEPT - 1 < last ? PICTURES_KEPT - 1 : last);
	reply_number(words->reply, "newest", (double)last);
	reply_open(words->reply, "pictures", '[');
	for (uint64_t one = since + 1; one <= last; one++) {
		const struct picture *picture = leds_picture(one);
		reply_open(words->reply, NULL, '{');
		if (picture)
			picture_members(words->reply, picture);
		reply_close(words->reply, '}');
	}
	reply_close(words->reply, ']');
}

void order_stats(struct words *words)
{
	report_stats(words->reply);
}

void order_forget(struct words *words)
{
	(void)words;
	leds_forget();
}

void order_show_eeprom(struct words *words)
{
	if (words->count > 1) {
		int address = (int)number(words, 1, "address", 0, EEPROM_BYTES - 1);
		const char *text = word(words, 2);
		size_t count = strlen(text) / 2;
		for (size_t place = 0; place < count; place++)
			if (hex_byte(text + 2 * place) < 0 || address + place >= EEPROM_BYTES)
				refuse(words, "bytes", text, "two hex digits a byte, within 1,024");
		if (words->is_refused)
			return;
		for (size_t place = 0; place < count; place++)
			eeprom_bytes()[(size_t)address + place] = (uint8_t)hex_byte(text + 2 * place);
		eeprom_touched();
	}
	reply_number(words->reply, "writes", (double)eeprom_writes());
	reply_hex(words->reply, "bytes", eeprom_bytes(), EEPROM_BYTES);
}
