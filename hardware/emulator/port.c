#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "speed.h"

static int master = -1;
static int taken_name = -1; /* the vanished one's other end, kept so that its name stays taken */
static char path[128], link_path[512];
static bool is_open;

static bool make_link(const char *link)
{
	snprintf(link_path, sizeof link_path, "%s", link);
	unlink(link_path);
	if (symlink(path, link_path) == 0)
		return true;
	fprintf(stderr, "cowboard-board: %s: %s\n", link_path, strerror(errno));
	return false;
}

bool port_plug(const char *link)
{
	struct termios raw;
	int slave;
	memset(&raw, 0, sizeof raw);
	cfmakeraw(&raw);
	raw.c_cflag |= CREAD;
	cfsetspeed(&raw, B115200);
	if (openpty(&master, &slave, path, &raw, NULL) < 0) {
		fprintf(stderr, "cowboard-board: no pseudo-terminal to be had: %s\n", strerror(errno));
		return false;
	}
	fcntl(master, F_SETFL, O_NONBLOCK);
	fcntl(master, F_SETFD, FD_CLOEXEC);
	close(slave); /* from now on the master tells whether anybody has the port open */
	if (taken_name >= 0)
		close(taken_name);
	taken_name = -1;
	is_open = false;
	return !link || !*link || make_link(link);
}

void port_unplug(void)
{
	if (master < 0)
		return;
	taken_name = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	close(master);
	master = -1;
	is_open = false;
	path[0] = 0;
	if (*link_path)
		unlink(link_path);
	link_path[0] = 0;
}

void port_close(void)
{
	port_unplug();
	if (taken_name >= 0)
		close(taken_name);
	taken_name = -1;
}

bool port_is_plugged(void)
{
	return master >= 0;
}

const char *port_path(void)
{
	return path;
}

/* What nobody read is gone when a real port is closed. */
static void forget_unread(void)
{
	int slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave >= 0) {
		tcflush(slave, TCIFLUSH);
		close(slave);
	}
}

int port_watch(void)
{
	struct pollfd watched = {.fd = master, .events = 0};
	bool was_open = is_open;
	is_open = poll(&watched, 1, 0) == 0 || !(watched.revents & POLLHUP);
	if (was_open && !is_open)
		forget_unread();
	return is_open - was_open;
}

bool port_is_open(void)
{
	return is_open;
}

long port_speed(void)
{
	return speed_of(master);
}

ssize_t port_read(uint8_t *bytes, size_t most)
{
	return read(master, bytes, most);
}

ssize_t port_write(const uint8_t *bytes, size_t count)
{
	return write(master, bytes, count);
}
