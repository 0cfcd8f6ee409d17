#include "wire.h"

static const struct wire_piece *piece_at(const struct wire *wire, unsigned number)
{
	return &wire->pieces[number % WIRE_KEPT];
}

static unsigned oldest(const struct wire *wire)
{
	return wire->count > WIRE_KEPT ? wire->count - WIRE_KEPT : 0;
}

static double end_of(const struct wire_piece *piece)
{
	return piece->begin + piece->bit * piece->bit_count;
}

static int bit_of(const struct wire_piece *piece, int number)
{
	return number < 16 ? piece->levels >> number & 1 : 0; /* longer than a byte is only a break */
}

static void put(struct wire *wire, struct wire_piece piece)
{
	wire->pieces[wire->count++ % WIRE_KEPT] = piece;
}

void wire_put(struct wire *wire, double begin, double bit, uint8_t byte, int stop_bits)
{
	uint16_t levels = (uint16_t)(byte << 1 | 0x600);
	put(wire, (struct wire_piece){begin, bit, levels, (uint16_t)(9 + stop_bits)});
}

void wire_put_break(struct wire *wire, double begin, double bit, int bit_count)
{
	put(wire, (struct wire_piece){begin, bit, 0, (uint16_t)bit_count});
}

void wire_cut(struct wire *wire, double at)
{
	if (wire->count == 0)
		return;
	struct wire_piece *last = &wire->pieces[(wire->count - 1) % WIRE_KEPT];
	if (at < end_of(last))
		last->bit_count = at <= last->begin ? 0 : (uint16_t)((at - last->begin) / last->bit);
}

double wire_end(const struct wire *wire)
{
	return wire->count ? end_of(piece_at(wire, wire->count - 1)) : 0;
}

double wire_begin(const struct wire *wire)
{
	return wire->count ? piece_at(wire, wire->count - 1)->begin : 0;
}

static int level_at(const struct wire *wire, double at)
{
	for (unsigned number = wire->count; number > oldest(wire); number--) {
		const struct wire_piece *piece = piece_at(wire, number - 1);
		if (piece->begin <= at)
			return at < end_of(piece) ? bit_of(piece, (int)((at - piece->begin) / piece->bit)) : 1;
	}
	return 1;
}

double wire_fall(const struct wire *wire, double from)
{
	unsigned number = wire->count;
	while (number > oldest(wire) && end_of(piece_at(wire, number - 1)) > from)
		number--;
	for (; number < wire->count; number++) {
		const struct wire_piece *piece = piece_at(wire, number);
		int before = 1;
		if (number > oldest(wire)) {
			const struct wire_piece *last = piece_at(wire, number - 1);
			if (last->bit_count && end_of(last) >= piece->begin - 0.5)
				before = bit_of(last, last->bit_count - 1);
		}
		for (int bit = 0; bit < piece->bit_count; bit++) {
			double at = piece->begin + bit * piece->bit;
			int level = bit_of(piece, bit);
			if (at >= from && before && !level)
				return at;
			before = level;
		}
	}
	return -1;
}

struct wire_byte wire_read(const struct wire *wire, double begin, double bit)
{
	struct wire_byte got = {0, level_at(wire, begin + 9.5 * bit)};
	for (int number = 0; number < 8; number++)
		got.byte |= (uint8_t)(level_at(wire, begin + (1.5 + number) * bit) << number);
	return got;
}
