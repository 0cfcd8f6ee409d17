/* The line speed a program has set on a pseudo-terminal, from the other end of it. */
#ifndef SPEED_H
#define SPEED_H

/* In baud, speeds without a name of their own (250,000) included; 0 where it can't be told. */
long speed_of(int master);

#endif
