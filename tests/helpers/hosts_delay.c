/* SPDX-License-Identifier: MIT */
/*
 * A slow network between hosts of one machine: a star of TUN devices, one in each network namespace, and for each host
 * a process that carries what it sends. It needs nothing of the kernel but TUN; netem, which does the same, is missing
 * from many.
 *
 *     hostA  eth0 --.  ,-- what A sends: a heap by `due`     due(packet) = sent + bytes / rate (behind what was sent
 *     hostB  eth0 --+--+-- what B sends                                           before)
 *     hostC  eth0 --'  `-- what C sends                                    + delay + jitter (0 .. jitter, evenly)
 *
 * Invariants: no packet is delivered before it is due; packets from one host to another keep their order; which packets
 * are lost depends on the seed, the host and the packets' numbers only. A queue in front of a slow line holds QUEUE_NS
 * of it, what comes on top is dropped, as in a switch.
 *
 * These processes share the processors with what is measured. Where no packet is lost or has to wait for a line, the
 * hosts hand over up to 64 KB of a stream as one segment, as they do to a network card that cuts and joins them. And
 * the k-th process keeps to the k-th processor, so that all of them lose as much: what has equal parts waits for the
 * slowest.
 *
 *     hosts_delay DELAY_NS JITTER_NS LOSS_PER_MILLION BITS_PER_SECOND SEED NAMESPACE...
 *
 * Makes `eth0` in each namespace /run/netns/NAMESPACE (without an address: the k-th is to get 10.77.0.k) and goes on in
 * the background; exit status 0 says that the devices are there. BITS_PER_SECOND 0: no limit. Ends with its namespaces'
 * processes, or when the processes are killed, and the devices end with them.
 */
#define _GNU_SOURCE /* setns, ppoll */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/random.h"

enum { HOSTS_MAX = 64, PACKETS_MAX = 1 << 15, READS_A_ROUND = 64 };
/* What a device hands over and takes: a word on how to cut the segment, then the segment. */
enum { CUT = sizeof(struct virtio_net_hdr), SEGMENT_MAX = CUT + (1 << 16) };
static const uint64_t second_ns = 1000000000, QUEUE_NS = 50000000;

typedef struct {
    uint64_t due, number;
    unsigned to, bytes;
    unsigned char data[];
} Packet;

typedef struct {
    uint64_t delay, jitter, loss, rate, seed;
    unsigned hosts, from; /* from: the host whose packets this process carries */
    int device[HOSTS_MAX];
    uint64_t line_free;           /* when the host's line will have sent what waits */
    uint64_t last_due[HOSTS_MAX]; /* to that host */
    uint64_t taken;               /* packets, for numbers */
    Packet *heap[PACKETS_MAX];    /* the first due on top */
    unsigned waiting;
} Net;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * second_ns + (uint64_t)t.tv_nsec;
}

/* ---- the heap ---- */

static bool earlier(const Packet *a, const Packet *b) {
    return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void heap_add(Net *n, Packet *p) {
    unsigned i = n->waiting++;
    for (; i && earlier(p, n->heap[(i - 1) / 2]); i = (i - 1) / 2) n->heap[i] = n->heap[(i - 1) / 2];
    n->heap[i] = p;
}

static Packet *heap_take(Net *n) {
    Packet *first = n->heap[0], *last = n->heap[--n->waiting];
    unsigned i = 0;
    for (unsigned child; (child = 2 * i + 1) < n->waiting; i = child) {
        if (child + 1 < n->waiting && earlier(n->heap[child + 1], n->heap[child])) child++;
        if (!earlier(n->heap[child], last)) break;
        n->heap[i] = n->heap[child];
    }
    n->heap[i] = last;
    return first;
}

/* ---- packets ---- */

/* The host that an IPv4 packet is for, 10.77.0.1 and up; -1 for anything else, which is dropped. */
static int host_of(const Net *n, const Packet *p) {
    static const unsigned char net[3] = {10, 77, 0};
    const unsigned char *ip = p->data + CUT;
    if (p->bytes < CUT + 20 || ip[0] >> 4 != 4 || memcmp(ip + 16, net, sizeof net)) return -1;
    const unsigned host = ip[19];
    return host >= 1 && host <= n->hosts ? (int)host - 1 : -1;
}

/* Decides when a packet arrives; false: never. Every packet draws two numbers, so that the fate of one does not depend
   on the settings of another. */
static bool schedule(Net *n, Packet *p, uint64_t now) {
    const uint64_t lot = random_next(&n->seed), shake = random_next(&n->seed);
    const int to = host_of(n, p);
    if (to < 0 || lot % 1000000 < n->loss) return false;
    uint64_t sent = now;
    if (n->rate) {
        if (n->line_free > now) sent = n->line_free;
        if (sent - now > QUEUE_NS) return false;
        sent += (p->bytes - CUT) * 8 * second_ns / n->rate;
        n->line_free = sent;
    }
    p->to = (unsigned)to;
    p->number = n->taken++;
    p->due = sent + n->delay + (n->jitter ? shake % (n->jitter + 1) : 0);
    if (p->due < n->last_due[to]) p->due = n->last_due[to];
    n->last_due[to] = p->due;
    return true;
}

/* A copy with room for what came; NULL where there are too many, and then it is lost. */
static Packet *new_packet(const Net *n, const unsigned char *data, size_t bytes) {
    Packet *p = n->waiting < PACKETS_MAX ? malloc(sizeof *p + bytes) : NULL;
    if (!p) return NULL;
    p->bytes = (unsigned)bytes;
    memcpy(p->data, data, bytes);
    return p;
}

/* Takes what the host has sent, but no more than a round's share, so that what is due meanwhile does not wait. False
   when the device is gone. */
static bool take(Net *n) {
    static unsigned char segment[SEGMENT_MAX];
    for (unsigned i = 0; i < READS_A_ROUND; i++) {
        const ssize_t bytes = read(n->device[n->from], segment, sizeof segment);
        if (bytes < 0) return errno == EAGAIN || errno == EINTR;
        Packet *p = new_packet(n, segment, (size_t)bytes);
        if (p && schedule(n, p, now_ns()))
            heap_add(n, p);
        else
            free(p);
    }
    return true;
}

static void deliver_due(Net *n) {
    while (n->waiting && n->heap[0]->due <= now_ns()) {
        Packet *p = heap_take(n);
        const ssize_t written = write(n->device[p->to], p->data, p->bytes);
        (void)written; /* a full host loses packets, as hosts do */
        free(p);
    }
}

static void run(Net *n) {
    struct pollfd watched = {.fd = n->device[n->from], .events = POLLIN};
    for (;;) {
        const uint64_t now = now_ns(), due = n->waiting ? n->heap[0]->due : 0, wait = due > now ? due - now : 0;
        const struct timespec left = {(time_t)(wait / second_ns), (long)(wait % second_ns)};
        if (ppoll(&watched, 1, n->waiting ? &left : NULL, NULL) < 0 && errno != EINTR) return;
        if (watched.revents & POLLIN && !take(n)) return;
        if (watched.revents & (POLLERR | POLLNVAL)) return;
        deliver_due(n);
    }
}

/* ---- beginning ---- */

/* The device stays where it was made, wherever this process goes next. */
static bool make_device(Net *n, unsigned host, const char *name, TabiaError *error) {
    char path[256];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    const int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET)) return tabia_fail(error, "%s: %s", path, strerror(errno));
    close(space);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    struct ifreq request = {.ifr_name = "eth0"};
    request.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR;
    if (device < 0 || ioctl(device, TUNSETIFF, &request)) return tabia_fail(error, "/dev/net/tun: %s", strerror(errno));
    const bool whole = !n->loss && !n->rate; /* whole segments; else packets of the device's 1500 bytes */
    if (whole && ioctl(device, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO_ECN))
        return tabia_fail(error, "/dev/net/tun takes no segments: %s", strerror(errno));
    n->device[host] = device;
    return true;
}

static bool read_numbers(char **text, uint64_t *const *number, unsigned n, TabiaError *error) {
    for (unsigned i = 0; i < n; i++) {
        char *end;
        errno = 0;
        *number[i] = strtoull(text[i], &end, 10);
        if (errno || end == text[i] || *end || *text[i] == '-')
            return tabia_fail(error, "'%s' is not a whole number", text[i]);
    }
    return true;
}

static bool begin(Net *n, int argc, char **argv, TabiaError *error) {
    uint64_t *const numbers[] = {&n->delay, &n->jitter, &n->loss, &n->rate, &n->seed};
    enum { NUMBERS = 5 };
    if (argc < 2 + NUMBERS || argc > 1 + NUMBERS + HOSTS_MAX)
        return tabia_fail(error, "needed: DELAY_NS JITTER_NS LOSS_PER_MILLION BITS_PER_SECOND SEED NAMESPACE...");
    if (!read_numbers(argv + 1, numbers, NUMBERS, error)) return false;
    n->hosts = (unsigned)argc - 1 - NUMBERS;
    const int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; i < n->hosts; i++)
        if (!make_device(n, i, argv[1 + NUMBERS + i], error)) return false;
    if (own < 0 || setns(own, CLONE_NEWNET)) /* on the last host it would die with it */
        return tabia_fail(error, "cannot leave the hosts: %s", strerror(errno));
    close(own);
    return true;
}

/* Wakes up on time: spinning ranks would otherwise keep this process waiting for milliseconds. Both may be refused. */
static void hurry(void) {
    const struct sched_param priority = {.sched_priority = 50};
    sched_setscheduler(0, SCHED_FIFO, &priority);
    prctl(PR_SET_TIMERSLACK, 1);
}

/* The k-th of the processors that we may use, counted round. */
static void keep_to_processor(unsigned k) {
    cpu_set_t usable, one;
    if (sched_getaffinity(0, sizeof usable, &usable)) return;
    CPU_ZERO(&one);
    k %= (unsigned)CPU_COUNT(&usable);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &usable) || k--) continue;
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

/* A process for each host, this one for the first. */
static bool share_out(Net *n, TabiaError *error) {
    for (unsigned from = 1; from < n->hosts; from++) {
        const pid_t child = fork();
        if (child < 0) return tabia_fail(error, "cannot fork: %s", strerror(errno));
        if (child) continue;
        n->from = from;
        break;
    }
    n->seed += n->from; /* each its own lots */
    return true;
}

int main(int argc, char **argv) {
    static Net net;
    TabiaError error;
    if (!begin(&net, argc, argv, &error) || !share_out(&net, &error)) { /* before there is nobody to tell */
        fprintf(stderr, "hosts_delay: %s\n", error.text);
        return 2;
    }
    if (daemon(0, 0)) {
        fprintf(stderr, "hosts_delay: cannot go on in the background: %s\n", strerror(errno));
        return 3;
    }
    keep_to_processor(net.from);
    hurry();
    run(&net);
    return 0;
}
