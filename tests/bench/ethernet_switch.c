/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ethernet_switch.c - an Ethernet switch in user space with delay and limited rate.
 *
 * usage: bench_ethernet_switch DELAY_US RATE_MBIT NAMESPACE...
 *
 * Creates a TAP device eth0 in each network namespace. Its address ends in the number of
 * its port, so a frame contains its destination port. A port sends frames in order at the
 * rate (0: unlimited), and each arrives after the delay. This replaces netem on kernels
 * without it. The devices are removed at exit. */
#define _GNU_SOURCE /* setns() */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_PORTS = 64,
    MOST_FRAMES =
        8192, /* in flight from one port; more are dropped, as in a real switch */
    FRAME_SIZE = 16384, /* more than a jumbo frame */
    BURST      = 32     /* frames read from a port before the next port */
};

typedef struct frame {
    int64_t due; /* ns; arrival time */
    size_t  length;
    uint8_t bytes[FRAME_SIZE];
} frame;

/* Frames arrive in the order sent, so a ring buffer suffices. */
typedef struct port {
    int      device;
    int64_t  idle; /* ns; earliest time of the next send */
    uint64_t sent;
    uint64_t arrived;
    frame  **ring; /* each allocated on first use */
} port;

static port ports[MOST_PORTS];
static int  count;

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *room(size_t number, size_t size)
{
    void *out = calloc(number, size);

    if (out == NULL) {
        fprintf(stderr, "bench_ethernet_switch: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return out;
}

static void check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "bench_ethernet_switch: %s: %s\n", what, strerror(errno));
        exit(EXIT_FAILURE);
    }
}

/* A TAP device belongs to the namespace in which it is created. */
static int make_device(const char *name, int number)
{
    char         path[256];
    int          there, device;
    struct ifreq request           = { .ifr_flags = IFF_TAP | IFF_NO_PI };
    const char   address[ETH_ALEN] = { 2, 0, 0, 0, 0, (char)number };

    snprintf(path, sizeof path, "/run/netns/%s", name);
    there = open(path, O_RDONLY | O_CLOEXEC);
    check(there >= 0, path);
    check(setns(there, CLONE_NEWNET) == 0, "cannot enter the namespace");
    close(there);
    device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    check(device >= 0, "/dev/net/tun");
    memcpy(request.ifr_name, "eth0", sizeof "eth0");
    check(ioctl(device, TUNSETIFF, &request) == 0, "cannot make a TAP device");
    request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
    memcpy(request.ifr_hwaddr.sa_data, address, ETH_ALEN);
    check(ioctl(device, SIOCSIFHWADDR, &request) == 0, "cannot set an address");
    return device;
}

/* Read frames from a port. */
static void take(port *from, int64_t delay, double ns_per_byte)
{
    for (int k = 0; k < BURST && from->sent - from->arrived < MOST_FRAMES; k++) {
        frame **slot = &from->ring[from->sent % MOST_FRAMES];
        int64_t start;
        ssize_t length;

        if (*slot == NULL) {
            *slot = room(1, sizeof **slot);
        }
        length = read(from->device, (*slot)->bytes, FRAME_SIZE);
        if (length < ETH_HLEN) {
            return;
        }
        start           = now() > from->idle ? now() : from->idle;
        from->idle      = start + (int64_t)((double)length * ns_per_byte);
        (*slot)->due    = from->idle + delay;
        (*slot)->length = (size_t)length;
        from->sent++;
    }
}

/* Send to one port, or to all others if no port has that address. A device that is not up
 * yet refuses frames; these are dropped. */
static void hand_over(const frame *f, const port *from)
{
    int to = (f->bytes[0] & 1) != 0 ? 0 : f->bytes[ETH_ALEN - 1];

    for (int k = 0; k < count; k++) {
        if (&ports[k] != from && (to == 0 || to == k + 1)) {
            ssize_t written = write(ports[k].device, f->bytes, f->length);

            (void)written;
        }
    }
}

/* Deliver frames that are due. Returns the time of the next, or -1. */
static int64_t deliver(void)
{
    int64_t next = -1;

    for (int k = 0; k < count; k++) {
        port *from = &ports[k];

        while (from->arrived < from->sent) {
            const frame *f = from->ring[from->arrived % MOST_FRAMES];

            if (f->due > now()) {
                next = next < 0 || f->due < next ? f->due : next;
                break;
            }
            hand_over(f, from);
            from->arrived++;
        }
    }
    return next;
}

int main(int argc, char **argv)
{
    struct pollfd watched[MOST_PORTS];
    int64_t       delay;
    double        rate;

    count = argc - 3;
    if (count < 1 || count > MOST_PORTS) {
        fprintf(stderr, "usage: bench_ethernet_switch DELAY_US RATE_MBIT NAMESPACE...\n");
        return EXIT_FAILURE;
    }
    delay = strtoll(argv[1], NULL, 10) * 1000;
    rate  = strtod(argv[2], NULL);
    for (int k = 0; k < count; k++) {
        ports[k].device = make_device(argv[3 + k], k + 1);
        ports[k].ring   = room(MOST_FRAMES, sizeof *ports[k].ring);
        watched[k]      = (struct pollfd){ .fd = ports[k].device, .events = POLLIN };
    }
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* ns: precise sleeps */
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        int64_t         next = deliver();
        int64_t         left = next - now();
        struct timespec rest = { 0, 0 };

        if (left > 0) {
            rest = (struct timespec){ left / 1000000000, left % 1000000000 };
        }
        if (ppoll(watched, (nfds_t)count, next < 0 ? NULL : &rest, NULL) <= 0) {
            continue;
        }
        for (int k = 0; k < count; k++) {
            if ((watched[k].revents & POLLIN) != 0) {
                take(&ports[k], delay, rate > 0.0 ? 8e3 / rate : 0.0);
            }
        }
    }
}
