/* The wire protocol and the boards, as the firmware needs them.
 *
 * Made by `python -m firmware_bridge.export hardware/firmware/generated/protocol.h` from the message table and
 * firmware_bridge/boards. Don't edit. What a shape means: firmware_bridge/c_header.py.
 */
#ifndef COWBOARD_PROTOCOL_H
#define COWBOARD_PROTOCOL_H

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 1
#define MOST_BODY_BYTES 192
#define MOST_STUFFED_BYTES 195
#define CELL_COUNT 139
#define COW_COUNT 9
#define LONG_BEAM_CELLS 17
#define SUPER_FIRST_CELL 68
#define SUPER_BEAM_CELLS 3
#define COLOUR_COUNT 10
#define MOTION_COUNT 7
#define MOST_CHANGES 6
#define MOST_ORDER_NUMBERS 32
#define MOST_QUALITY_CELLS 28
#define RESEND_FIRST_MS 100
#define RESEND_LEAST_MS 30
#define RESEND_MOST_MS 150
#define SILENCE_MS 5000
#define CHANNEL_MA 18
#define DARK_LED_MA 1
#define USABLE_PERCENT 90

enum { BOOT_UNKNOWN = 0, BOOT_POWER = 1, BOOT_RESET = 2, BOOT_WATCHDOG = 3, BOOT_BROWN_OUT = 4, BOOT_REQUEST = 5 };
enum { REFUSAL_NO_SESSION = 1, REFUSAL_UNKNOWN_MESSAGE = 2, REFUSAL_BAD_PAYLOAD = 3, REFUSAL_OUT_OF_SEQUENCE = 4, REFUSAL_NOT_POSSIBLE = 5 };
enum { BUTTON_DONE = 1, BUTTON_UNDO = 2, BUTTON_NEW_GAME = 3 };
enum { FAULT_STUCK = 1, FAULT_CHATTER = 2, FAULT_GHOST = 3, FAULT_BROWN_OUT = 4, FAULT_SUPPLY_LOW = 5 };
enum { ORDER_LEDS = 1, ORDER_SENSORS = 2 };
enum {
    CAN_SENSORS = 1, CAN_LIGHTS = 2, CAN_BUTTON = 4, CAN_KNOB = 8,
    CAN_BUZZER = 16, CAN_SUPPLY_SENSE = 32, CAN_SETTINGS = 64, CAN_UNCONFIRMED = 128,
};
enum {
    MOTION_STEADY = 0, MOTION_BREATHE = 1, MOTION_BLINK = 2, MOTION_PULSE = 3,
    MOTION_CHASE_TO_WHITE = 4, MOTION_CHASE_TO_BLACK = 5, MOTION_SPARKLE = 6,
};
enum {
    COLOUR_DARK = 0, COLOUR_WHITE = 1, COLOUR_DIM_WHITE = 2, COLOUR_BLACK_SIDE = 3,
    COLOUR_BLUE = 4, COLOUR_ORANGE = 5, COLOUR_AMBER = 6, COLOUR_GREEN = 7,
    COLOUR_RED = 8, COLOUR_PURPLE = 9,
};

enum {
    MESSAGE_HELLO_REQUEST = 0x01, MESSAGE_HELLO = 0x02, MESSAGE_ACK = 0x03, MESSAGE_NACK = 0x04,
    MESSAGE_PING = 0x05, MESSAGE_SNAPSHOT_REQUEST = 0x10, MESSAGE_SNAPSHOT = 0x11, MESSAGE_CELLS_CHANGED = 0x12,
    MESSAGE_BUTTON_PRESSED = 0x13, MESSAGE_KNOB_TURNED = 0x14, MESSAGE_FAULT_SEEN = 0x15, MESSAGE_PALETTE = 0x20,
    MESSAGE_LIGHTS_ALL = 0x21, MESSAGE_LIGHTS_RUNS = 0x22, MESSAGE_LIGHTS_GROUPS = 0x23, MESSAGE_LIGHTS_SHOW = 0x24,
    MESSAGE_BUZZ = 0x28, MESSAGE_SETTINGS_REQUEST = 0x30, MESSAGE_SETTINGS = 0x31, MESSAGE_SETTINGS_WRITE = 0x32,
    MESSAGE_ORDER_REQUEST = 0x33, MESSAGE_ORDER_PART = 0x34, MESSAGE_ORDER_WRITE = 0x35, MESSAGE_ORDER_COMMIT = 0x36,
    MESSAGE_RESTART = 0x37, MESSAGE_DIAGNOSTICS_REQUEST = 0x38, MESSAGE_DIAGNOSTICS = 0x39, MESSAGE_QUALITY_REQUEST = 0x3a,
    MESSAGE_CELL_QUALITY = 0x3b,
};

/* What a host may send: name, number, whether it is numbered and acknowledged, shape of its payload. */
#define HOST_MESSAGES(ROW) \
    ROW(HELLO_REQUEST, 0x01, 0, "bbw") \
    ROW(ACK, 0x03, 0, "") \
    ROW(NACK, 0x04, 0, "e\001\005") \
    ROW(PING, 0x05, 1, "") \
    ROW(SNAPSHOT_REQUEST, 0x10, 1, "") \
    ROW(PALETTE, 0x20, 1, "[\020<\017bbb]") \
    ROW(LIGHTS_ALL, 0x21, 1, "fbc[\213l]") \
    ROW(LIGHTS_RUNS, 0x22, 1, "fb[\070c<\213l]") \
    ROW(LIGHTS_GROUPS, 0x23, 1, "fb[\213l[\213c]]") \
    ROW(LIGHTS_SHOW, 0x24, 1, "b") \
    ROW(BUZZ, 0x28, 1, "e\001\006") \
    ROW(SETTINGS_REQUEST, 0x30, 1, "") \
    ROW(SETTINGS_WRITE, 0x32, 1, "t\014wt\020") \
    ROW(ORDER_REQUEST, 0x33, 1, "e\001\002c") \
    ROW(ORDER_WRITE, 0x35, 1, "e\001\002c[\040b]") \
    ROW(ORDER_COMMIT, 0x36, 1, "e\001\002f") \
    ROW(RESTART, 0x37, 1, "") \
    ROW(DIAGNOSTICS_REQUEST, 0x38, 1, "") \
    ROW(QUALITY_REQUEST, 0x3a, 1, "c")

/* Red, green, blue of each colour until a host tells others. */
#define DEFAULT_PALETTE \
    0, 0, 0, \
    220, 220, 200, \
    40, 40, 36, \
    50, 0, 200, \
    0, 60, 255, \
    255, 80, 0, \
    255, 140, 0, \
    0, 200, 40, \
    255, 0, 0, \
    160, 0, 160\
    /* the rest is dark */

/* LED board: the cows are lit cells. */
#define BOARD_LED_NAME "led"
#define BOARD_LED_SUPPLY_MA 4000
#define BOARD_LED_RESERVE_MA 150
#define BOARD_LED_LEDS \
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
    33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, \
    34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, \
    67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, \
    68, 69, 70, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, \
    73, 72, 71, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, \
    102, 103, 104, 121, 120, 119, 118, 117, 116, 115, 114, 113, 112, 111, 110, 109, 108, \
    107, 106, 105, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, \
    136, 137, 138

/* Magnet board: real cows, a magnet in each foot. */
#define BOARD_MAGNET_NAME "magnet"
#define BOARD_MAGNET_SUPPLY_MA 4000
#define BOARD_MAGNET_RESERVE_MA 400
#define BOARD_MAGNET_LEDS \
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
    33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, \
    34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, \
    67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, \
    68, 69, 70, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, \
    73, 72, 71, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, \
    102, 103, 104, 121, 120, 119, 118, 117, 116, 115, 114, 113, 112, 111, 110, 109, 108, \
    107, 106, 105, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, \
    136, 137, 138
#define BOARD_MAGNET_INPUT_COUNT 144
#define BOARD_MAGNET_SENSORS \
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, \
    17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, \
    34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, \
    51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, \
    68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, \
    85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, \
    102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, \
    119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, \
    136, 137, 138

#endif
