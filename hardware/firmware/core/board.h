/* What a board must give the core: the only functions that touch registers. boards/NAME/ has them for each board,
 * host/ for tests.
 */
#ifndef COWBOARD_BOARD_H
#define COWBOARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define INPUT_BYTES 18 /* 74HC165 in the chain */
#define INPUT_COUNT (8 * INPUT_BYTES)

struct picture;

/* Time since the start in ms, from a timer that runs freely: no tick is lost while the LEDs are clocked out. */
uint32_t board_ms(void);

/* One byte to the host; waits while too many are waiting. Bytes of the host go to `packets_push`. */
void board_write(uint8_t byte);

/* Whether all written bytes have left. */
bool board_has_written(void);

/* All switches as the chain gives them: input 0 is bit 7 of the first byte. */
void board_read_inputs(uint8_t inputs[INPUT_BYTES]);

/* Whether the "done" button is held down. */
bool board_button_is_down(void);

/* The supply voltage, 0..1023 in units of its own; 0 where nothing can be measured. */
uint16_t board_supply(void);

/* Clocks a picture out and returns when the last LED has it; takes the host's bytes meanwhile. Returns its length in
 * us. */
uint16_t board_show(const struct picture *picture);

/* Memory that keeps its content without supply: a byte, whether a write is over, the start of a write. */
uint8_t board_kept(uint16_t address);
bool board_keeps(void);
void board_keep(uint16_t address, uint8_t byte);

/* Restarts the controller after the last written byte has left; doesn't return on a real board. */
void board_restart(void);

/* Bytes of memory that no stack has ever reached. */
uint16_t board_stack_free(void);

/* Faults of the serial receiver since the start: bytes nobody fetched in time, bytes without a stop bit. */
uint16_t board_overruns(void);
uint16_t board_framing_errors(void);

/* Firmware name, version and build, at most 24 signs, ending in 0; in ROM. */
extern const char board_build[];

#endif
