#include "agenda.h"

#include <string.h>

#define MOST 4096

static struct entry {
	uint64_t cycle;
	agenda_act act;
	int tag, first, second;
} entries[MOST]; /* sorted, the next one first */
static int count;

bool agenda_add(uint64_t cycle, int tag, agenda_act act, int first, int second)
{
	if (count == MOST)
		return false;
	int place = count;
	while (place > 0 && entries[place - 1].cycle > cycle)
		place--;
	memmove(entries + place + 1, entries + place, (size_t)(count - place) * sizeof *entries);
	entries[place] = (struct entry){cycle, act, tag, first, second};
	count++;
	return true;
}

void agenda_drop(int tag)
{
	int kept = 0;
	for (int number = 0; number < count; number++)
		if (entries[number].tag != tag)
			entries[kept++] = entries[number];
	count = kept;
}

void agenda_run(uint64_t now)
{
	while (count > 0 && entries[0].cycle <= now) {
		struct entry due = entries[0];
		memmove(entries, entries + 1, (size_t)--count * sizeof *entries);
		due.act(due.first, due.second);
	}
}

int agenda_count(void)
{
	return count;
}
