/* The pseudo-terminal that stands for the board's USB serial port. */
#ifndef PORT_H
#define PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A new one under a name of its own, with a symbolic link to it where `link` is given. False and a message where there is
 * none to be had. */
bool port_plug(const char *link);
/* It vanishes; its name isn't given again before the next one has got another. */
void port_unplug(void);
void port_close(void);

bool port_is_plugged(void);
/* Its path; empty while unplugged. */
const char *port_path(void);

/* Looks whether a program has it open; 1: has just opened it, -1: has just closed it. */
int port_watch(void);
bool port_is_open(void);

/* The line speed that program has set, in baud; 0 where it can't be told. */
long port_speed(void);

ssize_t port_read(uint8_t *bytes, size_t most);
ssize_t port_write(const uint8_t *bytes, size_t count);

#endif
