#include "power.h"

#include "lights.h"
#include "protocol.h"

#define DARK_MA (CELL_COUNT * DARK_LED_MA)
#define FULL 255u
#define STEPS 4 /* from dark to all the budget gives, in as many pictures */
#define SAG_EIGHTHS 5

static uint32_t budget; /* for lit LEDs, in colour values: FULL of one costs CHANNEL_MA */
static uint16_t dark_and_lit_ma;
static uint32_t drawn; /* by the last picture, in colour values */
static bool is_sagging;
static bool is_rising;

void power_start(uint16_t supply_ma, uint16_t reserve_ma)
{
    uint32_t usable_ma = (uint32_t)supply_ma * USABLE_PERCENT / 100;
    uint32_t kept_ma = (uint32_t)reserve_ma + DARK_MA;
    uint32_t lit_ma = usable_ma > kept_ma ? usable_ma - kept_ma : 0;
    dark_and_lit_ma = (uint16_t)(DARK_MA + lit_ma);
    budget = lit_ma * FULL / CHANNEL_MA;
    drawn = 0;
    is_sagging = is_rising = false;
}

void power_sags(bool does_sag)
{
    is_sagging = does_sag;
}

uint8_t power_brightness(const uint16_t *weights, const uint8_t *shade, uint8_t level)
{
    uint32_t total = 0; /* in half colour values * 256 */
    for (uint8_t slot = 0; slot < SLOT_COUNT; slot++)
        total += (uint32_t)weights[slot] * (shade[slot] + 1u);
    uint32_t whole = total / (128 * FULL) + 1; /* colour values a step of brightness, rounded up */
    uint32_t most = is_sagging ? budget / 8 * SAG_EIGHTHS : budget;
    uint32_t reachable = drawn + budget / STEPS;
    is_rising = reachable < most && reachable < whole * level;
    if (is_rising)
        most = reachable;
    /* the finer form, where it doesn't overflow: most < 2^18 by the highest supply */
    uint32_t brightness = total ? most * 128 / (total / FULL + 1) : FULL;
    if (brightness > level)
        brightness = level;
    drawn = (total / FULL + 1) * brightness / 128 + 1;
    return (uint8_t)brightness;
}

uint16_t power_lights_ma(void)
{
    return (uint16_t)(DARK_MA + (drawn * CHANNEL_MA + FULL - 1) / FULL);
}

uint16_t power_budget_ma(void)
{
    return dark_and_lit_ma;
}

bool power_is_rising(void)
{
    return is_rising;
}
