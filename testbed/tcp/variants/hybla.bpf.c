/*
 * TCP Hybla. Caini, Firrincieli: TCP Hybla: a TCP enhancement for heterogeneous networks.
 * International Journal of Satellite Communications and Networking 22, 2004.
 *
 * A connection over a long round trip is to send as fast as one over a short one, RTT0. With rho = RTT / RTT0, each acknowledgement enlarges
 * the window W by 2^rho - 1 in slow start and by rho^2 / W in congestion avoidance, and the first window is rho segments.
 *
 * RTT0 is 25 ms as in the paper (section 4) and in Linux (tcp_hybla.c, rtt0). From Linux are: eighths of rho, 128ths of the increment, at most
 * 2^16 segments for one acknowledgement, windows up to 65535 segments, rho by the least smoothed round trip, and Reno while losses are repaired.
 */
#include "kernel.h"

#define RTT0_US 25000
#define LARGEST_EXPONENT 16
#define LARGEST_WINDOW 65535
#define ONE 128 /* a segment, in the unit of increments */

struct hybla {
	__u32 rho_eighths;
	__u32 least_rtt; /* in eighths of a microsecond, as the kernel has it */
	__u32 fraction; /* of a segment by which the window is due to grow */
	_Bool is_open; /* no loss is being repaired */
};
_Static_assert(sizeof(struct hybla) <= STATE_BYTES, "no room");

static inline void take_round_trip(struct hybla *own, const struct tcp_sock *tp)
{
	own->least_rtt = tp->srtt_us;
	own->rho_eighths = most(tp->srtt_us / RTT0_US, 8);
}

/* 2^(n/8), in 128ths. */
static inline __u32 root_of_two(__u32 n)
{
	switch (n) {
	case 0:
		return 128;
	case 1:
		return 139;
	case 2:
		return 152;
	case 3:
		return 165;
	case 4:
		return 181;
	case 5:
		return 197;
	case 6:
		return 215;
	default:
		return 234;
	}
}

SEC("struct_ops")
void BPF_PROG(hybla_init, struct sock *sk)
{
	struct hybla *own = state_of(sk);
	struct tcp_sock *tp = tcp_of(sk);

	take_round_trip(own, tp);
	own->fraction = 0;
	own->is_open = 1;
	tp->snd_cwnd = own->rho_eighths / 8;
}

SEC("struct_ops")
void BPF_PROG(hybla_set_state, struct sock *sk, __u8 state)
{
	struct hybla *own = state_of(sk);

	own->is_open = state == STATE_OPEN;
}

SEC("struct_ops")
void BPF_PROG(hybla_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	struct hybla *own = state_of(sk);
	struct tcp_sock *tp = tcp_of(sk);
	_Bool is_slow_start = in_slow_start(tp);
	__u32 increment, window;

	if (tp->srtt_us < own->least_rtt)
		take_round_trip(own, tp);
	if (!is_window_limited(tp))
		return;
	if (!own->is_open) {
		tcp_reno_cong_avoid(sk, ack, acked);
		return;
	}

	window = tp->snd_cwnd;
	if (is_slow_start) {
		increment = (root_of_two(own->rho_eighths % 8) << least(own->rho_eighths / 8, LARGEST_EXPONENT)) - ONE;
	} else {
		increment = 2 * own->rho_eighths * own->rho_eighths / window; /* rho^2 / W * ONE */
		if (increment < ONE)
			tp->snd_cwnd_cnt += 1;
	}

	window += increment / ONE;
	own->fraction += increment % ONE;
	if (own->fraction >= ONE) {
		own->fraction -= ONE;
		window += 1;
		tp->snd_cwnd_cnt = 0;
	}
	/* A window too large for 128ths grows as Reno's. */
	if (increment == 0 && tp->snd_cwnd_cnt >= window) {
		window += 1;
		tp->snd_cwnd_cnt = 0;
	}
	if (is_slow_start)
		window = least(window, tp->snd_ssthresh);
	tp->snd_cwnd = least(window, least(tp->snd_cwnd_clamp, LARGEST_WINDOW));
}

SEC("struct_ops")
__u32 BPF_PROG(hybla_ssthresh, struct sock *sk)
{
	return tcp_reno_ssthresh(sk);
}

SEC("struct_ops")
__u32 BPF_PROG(hybla_undo_cwnd, struct sock *sk)
{
	return tcp_reno_undo_cwnd(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops hybla = {
	.init = (void *)hybla_init,
	.ssthresh = (void *)hybla_ssthresh,
	.cong_avoid = (void *)hybla_cong_avoid,
	.set_state = (void *)hybla_set_state,
	.undo_cwnd = (void *)hybla_undo_cwnd,
	.name = "hybla",
};
