/* Clocks a picture out to WS2812B LEDs on PD6, and fetches the host's bytes meanwhile.
 *
 * void picture_out(const struct picture *picture, uint8_t high, uint8_t low, struct fetched *fetched)
 *
 * Interrupts must be off. A bit takes 20 cycles of 62.5 ns, every one of them counted here:
 *
 *     cycle   0        6            14          20
 *     0       |‾‾‾‾‾‾‾‾|________________________|     high 375 ns, low 875 ns
 *     1       |‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾|__________|     high 875 ns, low 375 ns
 *
 * which lies inside the limits of the older and of the newer WS2812B data sheets. The line needs four `out`s and a skip
 * a bit; the 16 cycles left, in slots of 4, 7 and 5, do everything else: twice a byte the serial receiver is emptied (a
 * byte takes at least 10 us at 1,000,000 baud, and the receiver holds two), and the next LED's colours are worked out.
 * So there is no gap at all between LEDs: 139 of them take 4.17 ms, which is what the wire needs.
 *
 * struct picture: lights[139], shade[16], tint[16][4] (green, red, blue, unused); see core/lights.h.
 * struct fetched: head, wraps, errors; see board.c.
 */
#include <avr/io.h>

#define LEDS 139
#define SHADE 139
#define TINT (139 + 16)

#define PORT _SFR_IO_ADDR(PORTD)

#define picture_l r24
#define zero      r2
#define high      r3
#define low       r4
#define next_g    r5
#define next_r    r6
#define next_b    r7
#define shade_l   r8
#define shade_h   r9
#define tint_l    r10
#define tint_h    r11
#define head      r12
#define wraps     r13
#define errors    r14
#define green     r16
#define red       r17
#define blue      r18
#define light     r19
#define shade     r20
#define leds      r21
#define byte      r22
#define status    r23

.macro wait4
    rjmp .+0
    rjmp .+0
.endm
.macro wait5
    wait4
    nop
.endm
.macro wait7
    wait4
    rjmp .+0
    nop
.endm

; Nothing but the bit.
.macro bit_plain colour, number
    out  PORT, high
    wait4
    sbrs \colour, \number
    out  PORT, low
    wait7
    out  PORT, low
    wait5
.endm

; One look at the receiver. What it holds goes to the ring; where it holds nothing the ring's free byte is written over
; and the head stays. A skipped two-word instruction takes as long as an executed one here.
.macro bit_fetch colour, number
    out  PORT, high
    lds  status, UCSR0A
    ldi  YL, lo8(packet_ring)
    ldi  YH, hi8(packet_ring)
    sbrs \colour, \number
    out  PORT, low
    sbrc status, RXC0
    lds  byte, UDR0
    add  YL, head
    adc  YH, zero
    st   Y, byte
    out  PORT, low
    or   errors, status
    lsl  status             ; RXC0 to carry
    adc  head, zero
    adc  wraps, zero
    nop
.endm

; The next light and its shade.
.macro bit_light colour, number
    out  PORT, high
    ld   light, X+
    mov  ZL, light
    andi ZL, 0x0F
    sbrs \colour, \number
    out  PORT, low
    clr  ZH
    add  ZL, shade_l
    adc  ZH, shade_h
    ld   shade, Z
    rjmp .+0
    out  PORT, low
    mov  ZL, light
    andi ZL, 0xF0
    lsr  ZL
    lsr  ZL
    clr  ZH
.endm

; Its tint; green and red.
.macro bit_tint colour, number
    out  PORT, high
    add  ZL, tint_l
    adc  ZH, tint_h
    ld   next_g, Z+
    sbrs \colour, \number
    out  PORT, low
    ld   next_r, Z+
    mul  next_g, shade
    add  r0, next_g
    adc  r1, zero
    mov  next_g, r1
    out  PORT, low
    ld   next_b, Z
    mul  next_r, shade
    nop
.endm

; Red's end, and blue.
.macro bit_shade colour, number
    out  PORT, high
    add  r0, next_r
    adc  r1, zero
    mov  next_r, r1
    nop
    sbrs \colour, \number
    out  PORT, low
    mul  next_b, shade
    add  r0, next_b
    adc  r1, zero
    mov  next_b, r1
    rjmp .+0
    out  PORT, low
    wait5
.endm

; The colours change over while the last bit of blue is still out; the loop's end is in its last slot.
.macro bit_last colour, number
    out  PORT, high
    mov  green, next_g
    mov  red, next_r
    rjmp .+0
    sbrs \colour, \number
    out  PORT, low
    mov  blue, next_b       ; the bit itself is out
    wait4
    nop
    dec  leds
    out  PORT, low
    rjmp .+0
    breq 2f
    rjmp 1b
.endm

.section .text.picture_out, "ax", @progbits
.global picture_out
.type picture_out, @function
picture_out:
    push r2
    push r3
    push r4
    push r5
    push r6
    push r7
    push r8
    push r9
    push r10
    push r11
    push r12
    push r13
    push r14
    push r16
    push r17
    push YL
    push YH
    push r18                ; fetched, low
    push r19
    clr  zero
    mov  high, r22
    mov  low, r20
    movw ZL, r18
    ldd  head, Z+0
    clr  wraps
    clr  errors
    movw XL, r24
    movw shade_l, r24
    movw tint_l, r24
    ldi  r18, SHADE
    add  shade_l, r18
    adc  shade_h, zero
    ldi  r18, TINT
    add  tint_l, r18
    adc  tint_h, zero
    ; the first LED's colours, before the first bit
    ld   light, X+
    movw ZL, shade_l
    mov  r18, light
    andi r18, 0x0F
    add  ZL, r18
    adc  ZH, zero
    ld   shade, Z
    movw ZL, tint_l
    andi light, 0xF0
    lsr  light
    lsr  light
    add  ZL, light
    adc  ZH, zero
    ld   next_g, Z+
    ld   next_r, Z+
    ld   next_b, Z
    mul  next_g, shade
    add  r0, next_g
    adc  r1, zero
    mov  green, r1
    mul  next_r, shade
    add  r0, next_r
    adc  r1, zero
    mov  red, r1
    mul  next_b, shade
    add  r0, next_b
    adc  r1, zero
    mov  blue, r1
    ldi  leds, LEDS
1:  bit_fetch green, 7
    bit_light green, 6
    bit_tint  green, 5
    bit_fetch green, 4
    bit_shade green, 3
    bit_plain green, 2
    bit_plain green, 1
    bit_plain green, 0
    bit_fetch red, 7
    bit_plain red, 6
    bit_plain red, 5
    bit_plain red, 4
    bit_fetch red, 3
    bit_plain red, 2
    bit_plain red, 1
    bit_plain red, 0
    bit_fetch blue, 7
    bit_plain blue, 6
    bit_plain blue, 5
    bit_plain blue, 4
    bit_fetch blue, 3
    bit_plain blue, 2
    bit_plain blue, 1
    bit_last  blue, 0
2:  pop  ZH
    pop  ZL
    std  Z+0, head
    std  Z+1, wraps
    std  Z+2, errors
    clr  r1
    pop  YH
    pop  YL
    pop  r17
    pop  r16
    pop  r14
    pop  r13
    pop  r12
    pop  r11
    pop  r10
    pop  r9
    pop  r8
    pop  r7
    pop  r6
    pop  r5
    pop  r4
    pop  r3
    pop  r2
    ret
.size picture_out, . - picture_out
