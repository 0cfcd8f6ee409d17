/* One line of JSON, put together piece by piece. */
#ifndef REPLY_H
#define REPLY_H

#include <stdbool.h>
#include <stddef.h>

#define REPLY_MOST 65536

struct reply {
	char text[REPLY_MOST];
	size_t length;
	bool is_first; /* of the members of the object that is open */
};

void reply_begin(struct reply *reply);
/* Closes the line: {"ok": true, ...}. */
void reply_end(struct reply *reply);
/* In place of all that: {"ok": false, "error": "..."}. */
void reply_refuse(struct reply *reply, const char *format, ...) __attribute__((format(printf, 2, 3)));

void reply_number(struct reply *reply, const char *name, double value);
void reply_text(struct reply *reply, const char *name, const char *value);
void reply_flag(struct reply *reply, const char *name, bool value);
void reply_hex(struct reply *reply, const char *name, const unsigned char *bytes, size_t count);
/* Members of an object inside: reply_open, members, reply_close. An unnamed one is an item of a list. */
void reply_open(struct reply *reply, const char *name, char bracket);
void reply_close(struct reply *reply, char bracket);

#endif
