/* Apart from the rest: <asm/termbits.h>, which alone has TCGETS2, can't stand beside <termios.h>. */
#include "speed.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>

long speed_of(int master)
{
	struct termios2 settings;
	return ioctl(master, TCGETS2, &settings) == 0 ? (long)settings.c_ospeed : 0;
}
