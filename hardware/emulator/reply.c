#include "reply.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ROOM_FOR_END 8

static void add(struct reply *reply, const char *format, ...)
{
	va_list values;
	size_t room = REPLY_MOST - ROOM_FOR_END - reply->length;
	va_start(values, format);
	int length = vsnprintf(reply->text + reply->length, room, format, values);
	va_end(values);
	reply->length += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

/* For what came from outside: a path, a word of a command. */
static void add_quoted(struct reply *reply, const char *text)
{
	add(reply, "\"");
	for (; *text; text++) {
		unsigned char sign = (unsigned char)*text;
		add(reply, sign == '"' || sign == '\\' ? "\\%c" : sign < ' ' ? "\\u%04x" : "%c", sign);
	}
	add(reply, "\"");
}

static void add_name(struct reply *reply, const char *name)
{
	add(reply, reply->is_first ? "" : ",");
	reply->is_first = false;
	if (name)
		add(reply, "\"%s\":", name);
}

void reply_begin(struct reply *reply)
{
	reply->length = 0;
	reply->is_first = true;
	add(reply, "{");
	reply_flag(reply, "ok", true);
}

void reply_end(struct reply *reply)
{
	memcpy(reply->text + reply->length, "}\n", 3);
	reply->length += 2;
}

void reply_refuse(struct reply *reply, const char *format, ...)
{
	char why[512];
	va_list values;
	va_start(values, format);
	vsnprintf(why, sizeof why, format, values);
	va_end(values);
	reply->length = 0;
	add(reply, "{\"ok\":false,\"error\":");
	add_quoted(reply, why);
}

void reply_number(struct reply *reply, const char *name, double value)
{
	add_name(reply, name);
	if (value == floor(value) && fabs(value) < 9e15)
		add(reply, "%.0f", value);
	else
		add(reply, "%.6g", value);
}

void reply_text(struct reply *reply, const char *name, const char *value)
{
	add_name(reply, name);
	add_quoted(reply, value);
}

void reply_flag(struct reply *reply, const char *name, bool value)
{
	add_name(reply, name);
	add(reply, value ? "true" : "false");
}

void reply_hex(struct reply *reply, const char *name, const unsigned char *bytes, size_t count)
{
	add_name(reply, name);
	add(reply, "\"");
	for (size_t number = 0; number < count; number++)
		add(reply, "%02x", bytes[number]);
	add(reply, "\"");
}

void reply_open(struct reply *reply, const char *name, char bracket)
{
	add_name(reply, name);
	add(reply, "%c", bracket);
	reply->is_first = true;
}

void reply_close(struct reply *reply, char bracket)
{
	add(reply, "%c", bracket);
	reply->is_first = false;
}
