#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"

void refuse(struct words *words, const char *what, const char *seen, const char *accepted)
{
	if (!words->is_refused)
		reply_refuse(words->reply, "%s: %s is not usable; accepted: %s", what, seen, accepted);
	words->is_refused = true;
}

const char *word(struct words *words, int place)
{
	return place < words->count ? words->word[place] : "";
}

double number(struct words *words, int place, const char *what, double low, double high)
{
	const char *text = word(words, place);
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !(value >= low && value <= high)) {
		char accepted[64];
		snprintf(accepted, sizeof accepted, "%g to %g", low, high);
		refuse(words, what, *text ? text : "nothing", accepted);
		return low;
	}
	return value;
}

double number_or(struct words *words, int place, const char *what, double high, double otherwise)
{
	return place < words->count ? number(words, place, what, 0, high) : otherwise;
}

int choice(struct words *words, int place, const char *what, const char *const choices[])
{
	char accepted[128] = "";
	for (int index = 0; choices[index]; index++) {
		if (strcmp(word(words, place), choices[index]) == 0)
			return index;
		strncat(accepted, index ? ", " : "", sizeof accepted - strlen(accepted) - 1);
		strncat(accepted, choices[index], sizeof accepted - strlen(accepted) - 1);
	}
	refuse(words, what, place < words->count ? word(words, place) : "nothing", accepted);
	return 0;
}

int input_number(struct words *words, int place)
{
	return (int)number(words, place, "input", 0, INPUT_COUNT - 1);
}

const char *const off_on[] = {"off", "on", NULL};

int hex_byte(const char *text)
{
	char pair[3] = {text[0], text[1], 0}, *end;
	long value = strtol(pair, &end, 16);
	return end == pair + 2 ? (int)value : -1;
}
