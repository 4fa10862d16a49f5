/*
 * BIC TCP. Xu, Harfoush, Rhee: Binary increase congestion control (BIC) for fast long-distance networks. IEEE INFOCOM 2004.
 *
 * After a loss, the window is searched for between the reduced one and the one at which the loss was, W_max: each round trip goes a part of
 * the way to W_max, at most S_max segments. Beyond W_max it moves away slowly first, then by S_max.
 *
 * The constants are those of Linux (tcp_bic.c). In the paper S_max is 32, a step is half of the way, and a loss takes an eighth of the window.
 */
#include "kernel.h"

#define LARGEST_STEP 16 /* S_max, segments in a round trip (max_increment) */
#define PARTS 4 /* a step is a quarter of the way (BICTCP_B) */
#define SMOOTH_PART 20 /* next to W_max: PARTS / SMOOTH_PART segments in a round trip (smooth_part) */
#define LOW_WINDOW 14 /* up to here it is Reno (low_window) */
#define BETA 819 /* of 1024: what a loss leaves of the window (beta) */
#define MOST_ACKS 20 /* before the first loss: at least 5 % in a round trip */
#define STEADY_US 31250 /* the same window is not thought about again for so long (HZ / 32) */
#define ONE 16 /* an acknowledged segment, in the unit of segments_per_ack */

struct bic {
	__u64 thought_us;
	__u32 thought_window;
	__u32 count; /* segments to be acknowledged for one more */
	__u32 last_max; /* W_max; 0 before the first loss */
	__u32 segments_per_ack; /* sliding mean */
};
_Static_assert(sizeof(struct bic) <= STATE_BYTES, "no room");

static inline void start(struct bic *own)
{
	own->thought_us = 0;
	own->thought_window = 0;
	own->count = 0;
	own->last_max = 0;
	own->segments_per_ack = 2 * ONE;
}

/* Segments to be acknowledged for one more, were each acknowledged by itself. */
static inline __u32 count_for(__u32 window, __u32 last_max)
{
	if (window <= LOW_WINDOW)
		return window;
	if (window < last_max) {
		__u32 step = (last_max - window) / PARTS;

		if (step > LARGEST_STEP)
			return window / LARGEST_STEP;
		return step <= 1 ? window * SMOOTH_PART / PARTS : window / step;
	}
	if (window < last_max + PARTS)
		return window * SMOOTH_PART / PARTS;
	if (window < last_max + LARGEST_STEP * (PARTS - 1))
		return window * (PARTS - 1) / (window - last_max);
	return window / LARGEST_STEP;
}

static inline void think(struct bic *own, __u32 window)
{
	__u64 now = now_us();
	__u32 count;

	if (own->thought_window == window && now - own->thought_us <= STEADY_US)
		return;
	own->thought_window = window;
	own->thought_us = now;
	count = count_for(window, own->last_max);
	if (window > LOW_WINDOW) {
		if (own->last_max == 0)
			count = least(count, MOST_ACKS);
		/* Where one acknowledgement is for two segments, half of the acknowledgements come. */
		count = most(count * ONE / most(own->segments_per_ack, 1), 1);
	}
	own->count = count;
}

SEC("struct_ops")
void BPF_PROG(bic_init, struct sock *sk)
{
	start(state_of(sk));
}

SEC("struct_ops")
void BPF_PROG(bic_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	struct bic *own = state_of(sk);
	struct tcp_sock *tp = tcp_of(sk);

	if (!is_window_limited(tp))
		return;
	if (in_slow_start(tp)) {
		acked = tcp_slow_start(tp, acked);
		if (acked == 0)
			return;
	}
	think(own, tp->snd_cwnd);
	tcp_cong_avoid_ai(tp, own->count, acked);
}

SEC("struct_ops")
__u32 BPF_PROG(bic_ssthresh, struct sock *sk)
{
	struct bic *own = state_of(sk);
	__u32 window = tcp_of(sk)->snd_cwnd;

	/* Fast convergence: one that lost before it was back at W_max leaves room for newer connections (section III-C). */
	own->last_max = window < own->last_max ? window * (1024 + BETA) / 2048 : window;
	return most(window <= LOW_WINDOW ? window / 2 : window * BETA / 1024, 2);
}

SEC("struct_ops")
void BPF_PROG(bic_set_state, struct sock *sk, __u8 state)
{
	if (state == STATE_LOSS)
		start(state_of(sk));
}

SEC("struct_ops")
void BPF_PROG(bic_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct bic *own = state_of(sk);

	if (congestion_state(sk) == STATE_OPEN)
		own->segments_per_ack += sample->pkts_acked - own->segments_per_ack / ONE;
}

SEC("struct_ops")
__u32 BPF_PROG(bic_undo_cwnd, struct sock *sk)
{
	return tcp_reno_undo_cwnd(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops bic = {
	.init = (void *)bic_init,
	.ssthresh = (void *)bic_ssthresh,
	.cong_avoid = (void *)bic_cong_avoid,
	.set_state = (void *)bic_set_state,
	.pkts_acked = (void *)bic_pkts_acked,
	.undo_cwnd = (void *)bic_undo_cwnd,
	.name = "bic",
};
