/* The words of one command, and what is made of them. Each of these answers with a refusal where a word can't be used;
 * then `is_refused` is set, and the order leaves everything as it is. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>

#include "reply.h"

#define MOST_WORDS 2048
#define MOST_MS 3600000

struct words {
	int count;
	char *word[MOST_WORDS];
	struct reply *reply;
	bool is_refused;
};

extern const char *const off_on[];

void refuse(struct words *words, const char *what, const char *seen, const char *accepted);

/* The word at a place; empty where there is none. */
const char *word(struct words *words, int place);

double number(struct words *words, int place, const char *what, double low, double high);
/* The same from 0 to `high`, and `otherwise` where there is no such word. */
double number_or(struct words *words, int place, const char *what, double high, double otherwise);

/* Which of these words, which end with NULL. */
int choice(struct words *words, int place, const char *what, const char *const choices[]);

int input_number(struct words *words, int place);

/* The byte of two hex digits; -1 where they aren't. */
int hex_byte(const char *text);

#endif
