#include "messages.h"

#include "packets.h"
#include "protocol.h"
#include "rom.h"

#define NO_CELL 0xFF
#define CELL_BIT_BYTES 18
#define MOST_NESTING 2 /* lists in lists */

#define SHAPE(name, number, is_numbered, shape) static const char shape_##name[] ROM = shape;
HOST_MESSAGES(SHAPE)

struct row {
    uint8_t number;
    uint8_t is_numbered;
    const char *shape;
};

#define TABLE_ROW(name, number, is_numbered, shape) {number, is_numbered, shape_##name},
static const struct row table[] ROM = {HOST_MESSAGES(TABLE_ROW)};
#define ROW_COUNT (sizeof table / sizeof *table)

#define OUR_OWN(number)                                                                                                \
    ((number) == MESSAGE_SNAPSHOT || (number) == MESSAGE_CELLS_CHANGED || (number) == MESSAGE_BUTTON_PRESSED ||        \
     (number) == MESSAGE_KNOB_TURNED || (number) == MESSAGE_FAULT_SEEN || (number) == MESSAGE_SETTINGS ||              \
     (number) == MESSAGE_ORDER_PART || (number) == MESSAGE_DIAGNOSTICS || (number) == MESSAGE_CELL_QUALITY ||          \
     (number) == MESSAGE_HELLO)

static const struct row *row_of(uint8_t number)
{
    for (uint8_t at = 0; at < ROW_COUNT; at++)
        if (rom_byte(&table[at].number) == number)
            return &table[at];
    return 0;
}

static const char *shape_of(const struct row *row)
{
#ifdef __AVR__
    return (const char *)pgm_read_word(&row->shape);
#else
    return row->shape;
#endif
}

static bool has(uint8_t count)
{
    return payload_left() >= count;
}

static bool text_fits(uint8_t most)
{
    if (!has(1))
        return false;
    uint8_t length = payload_u8();
    if (length > most || !has(length))
        return false;
    bool is_plain = true;
    while (length--) {
        uint8_t sign = payload_u8();
        is_plain = is_plain && sign > ' ' && sign < 0x7F;
    }
    return is_plain;
}

static bool bits_fit(void)
{
    if (!has(CELL_BIT_BYTES))
        return false;
    uint8_t last = 0;
    for (uint8_t at = 0; at < CELL_BIT_BYTES; at++)
        last = payload_u8();
    return !(last >> (CELL_COUNT % 8));
}

static bool light_fits(uint8_t light)
{
    return light >> 4 < COLOUR_COUNT && (light & 0x0F) < MOTION_COUNT;
}

/* One field that is no list; moves `shape` behind it. */
static bool field_fits(const char **shape)
{
    char kind = (char)rom_byte((*shape)++);
    uint8_t least = 0, most = 0xFF, size = 1;
    switch (kind) {
    case 't':
        return text_fits(rom_byte((*shape)++));
    case 'B':
        return bits_fit();
    case 'w':
        size = 2;
        break;
    case 'd':
        size = 4;
        break;
    case 'c':
        most = CELL_COUNT - 1;
        break;
    case 'f':
        most = 1;
        break;
    case '<':
        most = rom_byte((*shape)++);
        break;
    case 'e':
        least = rom_byte((*shape)++);
        most = rom_byte((*shape)++);
        break;
    default:
        break; /* b, l and ? */
    }
    if (!has(size))
        return false;
    uint8_t value = payload_u8();
    while (--size)
        payload_u8();
    if (kind == 'l')
        return light_fits(value);
    if (kind == '?')
        return value < CELL_COUNT || value == NO_CELL;
    return value >= least && (value <= most || kind == 'w' || kind == 'd');
}

/* Behind the end of the list whose items begin at `shape`. */
static const char *behind_list(const char *shape)
{
    for (uint8_t depth = 1; depth;) {
        switch (rom_byte(shape++)) {
        case '[':
            depth++;
            shape++;
            break;
        case '<':
        case 't':
            shape++;
            break;
        case 'e':
            shape += 2;
            break;
        case ']':
            depth--;
            break;
        default:
            break;
        }
    }
    return shape;
}

static bool shape_fits(const char *shape)
{
    struct {
        const char *items;
        uint8_t left;
    } lists[MOST_NESTING];
    uint8_t depth = 0;
    for (;;) {
        char kind = (char)rom_byte(shape);
        if (kind == 0)
            return true;
        if (kind == '[') {
            uint8_t most = rom_byte(shape + 1);
            uint8_t count = payload_left() ? payload_u8() : 0xFF;
            if (count > most)
                return false;
            shape += 2;
            if (!count) {
                shape = behind_list(shape);
                continue;
            }
            lists[depth].items = shape;
            lists[depth++].left = count;
        } else if (kind == ']') {
            if (--lists[depth - 1].left) {
                shape = lists[depth - 1].items;
            } else {
                depth--;
                shape++;
            }
        } else if (!field_fits(&shape)) {
            return false;
        }
    }
}

enum fitness messages_check(uint8_t number)
{
    if (OUR_OWN(number))
        return IS_OUR_OWN;
    const struct row *row = row_of(number);
    if (!row)
        return IS_UNKNOWN;
    payload_rewind();
    bool fits = shape_fits(shape_of(row));
    payload_rewind();
    return fits ? FITS : IS_BAD;
}

bool messages_is_numbered(uint8_t number)
{
    const struct row *row = row_of(number);
    return row && rom_byte(&row->is_numbered);
}

void put_u8(struct draft *draft, uint8_t value)
{
    draft->bytes[draft->size++] = value;
}

void put_u16(struct draft *draft, uint16_t value)
{
    put_u8(draft, (uint8_t)value);
    put_u8(draft, (uint8_t)(value >> 8));
}

void put_u32(struct draft *draft, uint32_t value)
{
    put_u16(draft, (uint16_t)value);
    put_u16(draft, (uint16_t)(value >> 16));
}

void put_text(struct draft *draft, const char *rom_text)
{
    uint8_t length_at = draft->size++;
    for (char sign; (sign = (char)rom_byte(rom_text)); rom_text++)
        put_u8(draft, (uint8_t)sign);
    draft->bytes[length_at] = draft->size - length_at - 1;
}
