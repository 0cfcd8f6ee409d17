/* The control socket: a Unix stream socket, one command a line, one line of JSON in answer to each. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>

/* False and a message where the socket can't be made. */
bool control_open(const char *path);
/* Takes what has come and answers; every tick. */
void control_tick(void);
void control_close(void);

#endif
