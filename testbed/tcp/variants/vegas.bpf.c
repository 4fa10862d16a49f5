/*
 * TCP Vegas. Brakmo, Peterson: TCP Vegas: end to end congestion avoidance on a global Internet.
 * IEEE Journal on Selected Areas in Communications 13, 1995.
 *
 * The least round trip ever is that of an empty queue. Once each round trip, the least one in it gives the segments that wait in the queue:
 * W * (RTT - base) / base. Below alpha of them the window grows by one, above beta it shrinks by one, above gamma slow start ends.
 *
 * alpha 2, beta 4 and gamma 1 are those of Linux (tcp_vegas.c). In the paper alpha is 1 and beta 3, or 2 and 4. From Linux are: slow start
 * doubles in every round trip (in the paper in every other one), Reno while there are two samples or fewer, and Reno while losses are repaired.
 */
#include "kernel.h"

#define ALPHA 2
#define BETA 4
#define GAMMA 1
#define ENOUGH_SAMPLES 3
#define SMALLEST_WINDOW 2
#define UNKNOWN_US 0x7fffffff

struct vegas {
	__u32 round_end; /* the round trip is over when this byte is acknowledged */
	__u32 samples; /* in this round trip */
	__u32 least_us; /* in this round trip */
	__u32 base_us;
	_Bool is_open; /* no loss is being repaired */
};
_Static_assert(sizeof(struct vegas) <= STATE_BYTES, "no room");

static inline void start_round(struct vegas *own, const struct tcp_sock *tp)
{
	own->round_end = tp->snd_nxt;
	own->samples = 0;
	own->least_us = UNKNOWN_US;
}

static inline void start(struct vegas *own, const struct tcp_sock *tp)
{
	own->base_us = UNKNOWN_US;
	own->is_open = 1;
	start_round(own, tp);
}

static inline void lower_threshold(struct tcp_sock *tp)
{
	tp->snd_ssthresh = least(tp->snd_ssthresh, tp->snd_cwnd);
}

static inline void adjust(struct sock *sk, struct vegas *own, __u32 acked)
{
	struct tcp_sock *tp = tcp_of(sk);
	__u32 window = tp->snd_cwnd;
	__u32 base = most(own->base_us, 1), round_trip = most(own->least_us, 1);
	__u64 queued = (__u64)window * (round_trip - base) / base;
	__u8 state;

	if (in_slow_start(tp)) {
		if (queued > GAMMA) {
			tp->snd_cwnd = least(window, (__u64)window * base / round_trip + 1);
			lower_threshold(tp);
		} else {
			tcp_slow_start(tp, acked);
		}
	} else if (queued > BETA) {
		tp->snd_cwnd = window - 1;
		lower_threshold(tp);
	} else if (queued < ALPHA) {
		tp->snd_cwnd = window + 1;
	}
	window = least(most(tp->snd_cwnd, SMALLEST_WINDOW), tp->snd_cwnd_clamp);
	tp->snd_cwnd = window;

	/* The threshold follows the window, as tcp_current_ssthresh in the kernel. */
	state = congestion_state(sk);
	if (state != STATE_CWR && state != STATE_RECOVERY)
		tp->snd_ssthresh = most(tp->snd_ssthresh, window / 2 + window / 4);
}

SEC("struct_ops")
void BPF_PROG(vegas_init, struct sock *sk)
{
	start(state_of(sk), tcp_of(sk));
}

SEC("struct_ops")
void BPF_PROG(vegas_set_state, struct sock *sk, __u8 state)
{
	struct vegas *own = state_of(sk);

	own->is_open = state == STATE_OPEN;
	if (own->is_open)
		start_round(own, tcp_of(sk));
}

/* After a pause, the path may be another one. */
SEC("struct_ops")
void BPF_PROG(vegas_cwnd_event, struct sock *sk, __u32 event)
{
	if (event == EVENT_WINDOW_RESTART || event == EVENT_TRANSMIT_START)
		start(state_of(sk), tcp_of(sk));
}

SEC("struct_ops")
void BPF_PROG(vegas_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct vegas *own = state_of(sk);
	__u32 round_trip;

	if (sample->rtt_us < 0)
		return;
	round_trip = sample->rtt_us + 1;
	own->base_us = least(own->base_us, round_trip);
	own->least_us = least(own->least_us, round_trip);
	own->samples += 1;
}

SEC("struct_ops")
void BPF_PROG(vegas_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	struct vegas *own = state_of(sk);
	struct tcp_sock *tp = tcp_of(sk);

	if (!own->is_open) {
		tcp_reno_cong_avoid(sk, ack, acked);
		return;
	}
	if ((__s32)(ack - own->round_end) <= 0) {
		if (in_slow_start(tp))
			tcp_slow_start(tp, acked);
		return;
	}
	if (own->samples < ENOUGH_SAMPLES)
		tcp_reno_cong_avoid(sk, ack, acked);
	else
		adjust(sk, own, acked);
	start_round(own, tp);
}

SEC("struct_ops")
__u32 BPF_PROG(vegas_ssthresh, struct sock *sk)
{
	return tcp_reno_ssthresh(sk);
}

SEC("struct_ops")
__u32 BPF_PROG(vegas_undo_cwnd, struct sock *sk)
{
	return tcp_reno_undo_cwnd(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops vegas = {
	.init = (void *)vegas_init,
	.ssthresh = (void *)vegas_ssthresh,
	.cong_avoid = (void *)vegas_cong_avoid,
	.set_state = (void *)vegas_set_state,
	.cwnd_event = (void *)vegas_cwnd_event,
	.pkts_acked = (void *)vegas_pkts_acked,
	.undo_cwnd = (void *)vegas_undo_cwnd,
	.name = "vegas",
};
