/*
 * What the TCP variants in this folder use of the kernel. Each structure has only the members that are used: when a variant is loaded, libbpf
 * finds where the running kernel has them, in the kernel's own description (BTF, /sys/kernel/btf/vmlinux). So one source serves all kernels.
 */
#pragma once

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef int __s32;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

/* The kernel lends the functions below to programs under the GPL only. It reads this section. */
char _license[] SEC("license") = "GPL";

#define KERNEL __attribute__((preserve_access_index))

/* Each connection has this much room for what its variant remembers. */
#define STATE_BYTES 104

struct sock {
} KERNEL;

struct inet_connection_sock {
	__u8 icsk_ca_state : 5;
	__u64 icsk_ca_priv[STATE_BYTES / sizeof(__u64)];
} KERNEL;

struct tcp_sock {
	__u32 snd_cwnd; /* congestion window, in segments */
	__u32 snd_cwnd_cnt; /* acknowledged segments that have not yet made it larger */
	__u32 snd_cwnd_clamp; /* its upper limit */
	__u32 snd_ssthresh; /* slow-start threshold, in segments */
	__u32 snd_una; /* first byte that is not acknowledged */
	__u32 snd_nxt; /* next byte to send */
	__u32 mss_cache; /* payload of a full segment */
	__u32 srtt_us; /* smoothed round trip, in eighths of a microsecond */
	__u32 max_packets_out; /* most segments on the way in the last round trip */
	__u8 is_cwnd_limited : 1; /* whether the window kept data back then */
} KERNEL;

struct ack_sample {
	__u32 pkts_acked;
	__s32 rtt_us; /* negative when there is none */
} KERNEL;

enum { STATE_OPEN = 0, STATE_CWR = 2, STATE_RECOVERY = 3, STATE_LOSS = 4 }; /* tcp_ca_state */
enum { EVENT_TRANSMIT_START = 0, EVENT_WINDOW_RESTART = 1, EVENT_REDUCTION_DONE = 2, EVENT_LOSS = 3 }; /* tcp_ca_event */
enum { ACK_SLOW_PATH = 1 }; /* tcp_ca_ack_event_flags */

struct tcp_congestion_ops {
	void (*init)(struct sock *sk);
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	void (*set_state)(struct sock *sk, __u8 state);
	void (*cwnd_event)(struct sock *sk, __u32 event);
	void (*in_ack_event)(struct sock *sk, __u32 flags);
	void (*pkts_acked)(struct sock *sk, const struct ack_sample *sample);
	__u32 (*undo_cwnd)(struct sock *sk);
	char name[16];
};

/* Reno, RFC 5681. */
extern __u32 tcp_reno_ssthresh(struct sock *sk) __ksym;
extern __u32 tcp_reno_undo_cwnd(struct sock *sk) __ksym;
extern void tcp_reno_cong_avoid(struct sock *sk, __u32 ack, __u32 acked) __ksym;
/* Returns what of the acknowledged segments is left when the threshold is reached. */
extern __u32 tcp_slow_start(struct tcp_sock *tp, __u32 acked) __ksym;
/* One segment more for each `count` that are acknowledged. */
extern void tcp_cong_avoid_ai(struct tcp_sock *tp, __u32 count, __u32 acked) __ksym;

static inline struct tcp_sock *tcp_of(struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

static inline void *state_of(struct sock *sk)
{
	return ((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

static inline __u8 congestion_state(struct sock *sk)
{
	return BPF_CORE_READ_BITFIELD((struct inet_connection_sock *)sk, icsk_ca_state);
}

static inline __u32 least(__u32 a, __u32 b)
{
	return a < b ? a : b;
}

static inline __u32 most(__u32 a, __u32 b)
{
	return a > b ? a : b;
}

static inline _Bool in_slow_start(const struct tcp_sock *tp)
{
	return tp->snd_cwnd < tp->snd_ssthresh;
}

/* Whether the window limits the sender (RFC 7661): one that is not used does not grow. As tcp_is_cwnd_limited in the kernel. */
static inline _Bool is_window_limited(const struct tcp_sock *tp)
{
	return BPF_CORE_READ_BITFIELD(tp, is_cwnd_limited) ||
	       (in_slow_start(tp) && tp->snd_cwnd < 2 * tp->max_packets_out);
}

static inline __u64 now_us(void)
{
	return bpf_ktime_get_ns() / 1000;
}
