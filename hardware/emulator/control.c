#include "control.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "orders.h"
#include "reply.h"

#define MOST_CLIENTS 4
#define LINE_MOST 16384
#define ANSWER_LIMIT_MS 1000

static struct client {
	int socket;
	char line[LINE_MOST];
	size_t length;
} clients[MOST_CLIENTS];
static int listening = -1;
static char socket_path[108];

bool control_open(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	for (int number = 0; number < MOST_CLIENTS; number++)
		clients[number].socket = -1;
	if (!path)
		return true;
	if (strlen(path) >= sizeof address.sun_path) {
		fprintf(stderr, "cowboard-board: %s: longer than the %zu bytes a socket's path may have\n", path,
			sizeof address.sun_path - 1);
		return false;
	}
	strcpy(address.sun_path, path);
	strcpy(socket_path, path);
	unlink(path);
	listening = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (listening < 0 || bind(listening, (struct sockaddr *)&address, sizeof address) < 0 || listen(listening, 4) < 0) {
		fprintf(stderr, "cowboard-board: %s: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}

static void leave(struct client *client)
{
	close(client->socket);
	client->socket = -1;
	client->length = 0;
}

static void answer(struct client *client, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t gone = send(client->socket, text, length, MSG_NOSIGNAL);
		if (gone > 0) {
			text += gone;
			length -= (size_t)gone;
			continue;
		}
		struct pollfd room = {.fd = client->socket, .events = POLLOUT};
		if (errno != EAGAIN || poll(&room, 1, ANSWER_LIMIT_MS) != 1) {
			leave(client);
			return;
		}
	}
}

static void take_lines(struct client *client)
{
	static struct reply reply;
	char *end;
	while (client->socket >= 0 && (end = memchr(client->line, '\n', client->length))) {
		*end = 0;
		orders_carry_out(client->line, &reply);
		answer(client, reply.text, reply.length);
		size_t used = (size_t)(end - client->line) + 1;
		if (client->socket >= 0) {
			client->length -= used;
			memmove(client->line, end + 1, client->length);
		}
	}
	if (client->length == LINE_MOST)
		leave(client); /* no line is that long */
}

static void serve(struct client *client)
{
	ssize_t got = recv(client->socket, client->line + client->length, LINE_MOST - client->length, MSG_DONTWAIT);
	if (got == 0 || (got < 0 && errno != EAGAIN)) {
		leave(client);
		return;
	}
	if (got > 0) {
		client->length += (size_t)got;
		take_lines(client);
	}
}

static void welcome(void)
{
	for (int number = 0; number < MOST_CLIENTS; number++)
		if (clients[number].socket < 0) {
			clients[number].socket = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
			return;
		}
}

void control_tick(void)
{
	struct pollfd watched[MOST_CLIENTS + 1];
	if (listening < 0)
		return;
	for (int number = 0; number < MOST_CLIENTS; number++)
		watched[number] = (struct pollfd){.fd = clients[number].socket, .events = POLLIN};
	watched[MOST_CLIENTS] = (struct pollfd){.fd = listening, .events = POLLIN};
	if (poll(watched, MOST_CLIENTS + 1, 0) <= 0)
		return;
	for (int number = 0; number < MOST_CLIENTS; number++)
		if (watched[number].revents)
			serve(&clients[number]);
	if (watched[MOST_CLIENTS].revents)
		welcome();
}

void control_close(void)
{
	for (int number = 0; number < MOST_CLIENTS; number++)
		if (clients[number].socket >= 0)
			leave(&clients[number]);
	if (listening >= 0) {
		close(listening);
		unlink(socket_path);
	}
}
