#include "supply.h"

#include "board.h"

#define LEAST_READING 50 /* below it nothing is connected */
#define LOW_PERCENT 92   /* 4.6 of 5 V: where the first LEDs begin to flicker */
#define GOOD_PERCENT 95
#define GOOD_MS 2000
#define PERIOD_MS 20
#define SAMPLES 8

static uint16_t at_start;  /* SAMPLES readings */
static uint16_t smoothed;  /* the same, running */
static bool is_low;
static uint16_t good_ms;
static uint16_t measured_ms;

void supply_start(void)
{
    at_start = 0;
    for (uint8_t sample = 0; sample < SAMPLES; sample++)
        at_start += board_supply();
    if (at_start < LEAST_READING * SAMPLES)
        at_start = 0;
    smoothed = at_start;
    is_low = false;
    measured_ms = good_ms = 0;
}

uint8_t supply_percent(void)
{
    if (!at_start)
        return 0;
    uint32_t percent = (uint32_t)smoothed * 100 / at_start;
    return percent > UINT8_MAX ? UINT8_MAX : (uint8_t)percent;
}

bool supply_turn(uint32_t now)
{
    uint16_t ms = (uint16_t)now;
    if (!at_start || (uint16_t)(ms - measured_ms) < PERIOD_MS)
        return false;
    measured_ms = ms;
    smoothed = smoothed - smoothed / SAMPLES + board_supply();
    uint8_t percent = supply_percent();
    if (percent < GOOD_PERCENT)
        good_ms = ms;
    if (!is_low && percent < LOW_PERCENT) {
        is_low = true;
        return true;
    }
    if (is_low && (uint16_t)(ms - good_ms) >= GOOD_MS) {
        is_low = false;
        return true;
    }
    return false;
}

bool supply_is_measured(void)
{
    return at_start;
}

bool supply_sags(void)
{
    return is_low;
}
