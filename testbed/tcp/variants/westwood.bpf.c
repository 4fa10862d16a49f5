/*
 * TCP Westwood+. Mascolo, Casetti, Gerla, Sanadidi, Wang: TCP Westwood: bandwidth estimation for enhanced transport over wireless links.
 * ACM MobiCom 2001. Grieco, Mascolo: Performance evaluation and comparison of Westwood+, New Reno, and Vegas TCP congestion control.
 * ACM Computer Communication Review 34, 2004.
 *
 * The acknowledged bytes of each round trip, twice filtered, estimate the bandwidth. After a loss, threshold and window are what that
 * bandwidth carries in the least round trip. Otherwise it is Reno.
 *
 * As in Linux (tcp_westwood.c), a sample is of 50 ms at least, and each filter takes an eighth of a new value. Linux counts bytes in a tick
 * of its clock, in whole numbers. This counts bytes in a second.
 */
#include "kernel.h"

#define SHORTEST_SAMPLE_US 50000
#define SMALLEST_WINDOW 2
#define SECOND_US 1000000ULL
#define UNKNOWN_US 20000000

struct westwood {
	__u64 sample_start_us;
	__u64 once_filtered; /* bytes per second */
	__u64 bandwidth; /* twice filtered */
	__u32 sample_bytes;
	__u32 counted_to; /* bytes that are acknowledged up to here are counted */
	__u32 counted_ahead; /* bytes counted for duplicate acknowledgements, which a later one includes */
	__u32 round_trip_us;
	__u32 least_us;
	_Bool is_first; /* no acknowledgement came yet */
	_Bool forgets_least; /* the next round trip is taken as the least */
};
_Static_assert(sizeof(struct westwood) <= STATE_BYTES, "no room");

static inline __u64 filter(__u64 former, __u64 value)
{
	return (7 * former + value) / 8;
}

static inline void end_sample(struct westwood *own, __u64 now)
{
	__u64 sample = own->sample_bytes * SECOND_US / (now - own->sample_start_us);

	if (own->bandwidth == 0 && own->once_filtered == 0) {
		own->once_filtered = sample;
		own->bandwidth = sample;
	} else {
		own->once_filtered = filter(own->once_filtered, sample);
		own->bandwidth = filter(own->bandwidth, own->once_filtered);
	}
	own->sample_bytes = 0;
	own->sample_start_us = now;
}

/* How many bytes an acknowledgement says arrived. A duplicate one says that one segment did (Mascolo et al. 2001, section 3.1). */
static inline __u32 count_acknowledged(struct westwood *own, const struct tcp_sock *tp)
{
	__u32 segment = tp->mss_cache;
	__u32 bytes = tp->snd_una - own->counted_to;

	if (bytes == 0) {
		own->counted_ahead += segment;
		bytes = segment;
	} else if (bytes > segment) {
		if (own->counted_ahead >= bytes) {
			own->counted_ahead -= bytes;
			bytes = segment;
		} else {
			bytes -= own->counted_ahead;
			own->counted_ahead = 0;
		}
	}
	return bytes;
}

static inline __u32 window_of_bandwidth(const struct westwood *own, const struct tcp_sock *tp)
{
	return most(own->bandwidth * own->least_us / SECOND_US / most(tp->mss_cache, 1), SMALLEST_WINDOW);
}

SEC("struct_ops")
void BPF_PROG(westwood_init, struct sock *sk)
{
	struct westwood *own = state_of(sk);

	own->sample_start_us = now_us();
	own->once_filtered = 0;
	own->bandwidth = 0;
	own->sample_bytes = 0;
	own->counted_to = tcp_of(sk)->snd_una;
	own->counted_ahead = 0;
	own->round_trip_us = UNKNOWN_US;
	own->least_us = UNKNOWN_US;
	own->is_first = 1;
	own->forgets_least = 1;
}

SEC("struct_ops")
void BPF_PROG(westwood_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct westwood *own = state_of(sk);

	if (sample->rtt_us > 0)
		own->round_trip_us = sample->rtt_us;
}

SEC("struct_ops")
void BPF_PROG(westwood_in_ack_event, struct sock *sk, __u32 flags)
{
	struct westwood *own = state_of(sk);
	const struct tcp_sock *tp = tcp_of(sk);
	__u64 now = now_us();

	if (own->is_first) {
		own->counted_to = tp->snd_una;
		own->is_first = 0;
	}
	if (now - own->sample_start_us > most(own->round_trip_us, SHORTEST_SAMPLE_US))
		end_sample(own, now);

	/* The kernel has a fast path for acknowledgements with nothing unusual in them. */
	own->sample_bytes += flags & ACK_SLOW_PATH ? count_acknowledged(own, tp) : tp->snd_una - own->counted_to;
	own->counted_to = tp->snd_una;

	own->least_us = own->forgets_least ? own->round_trip_us : least(own->least_us, own->round_trip_us);
	own->forgets_least = 0;
}

SEC("struct_ops")
void BPF_PROG(westwood_cwnd_event, struct sock *sk, __u32 event)
{
	struct westwood *own = state_of(sk);
	struct tcp_sock *tp = tcp_of(sk);

	if (event == EVENT_REDUCTION_DONE) {
		tp->snd_ssthresh = window_of_bandwidth(own, tp);
		tp->snd_cwnd = tp->snd_ssthresh;
	} else if (event == EVENT_LOSS) {
		tp->snd_ssthresh = window_of_bandwidth(own, tp);
		own->forgets_least = 1;
	}
}

SEC("struct_ops")
void BPF_PROG(westwood_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	tcp_reno_cong_avoid(sk, ack, acked);
}

SEC("struct_ops")
__u32 BPF_PROG(westwood_ssthresh, struct sock *sk)
{
	return tcp_reno_ssthresh(sk);
}

SEC("struct_ops")
__u32 BPF_PROG(westwood_undo_cwnd, struct sock *sk)
{
	return tcp_reno_undo_cwnd(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops westwood = {
	.init = (void *)westwood_init,
	.ssthresh = (void *)westwood_ssthresh,
	.cong_avoid = (void *)westwood_cong_avoid,
	.cwnd_event = (void *)westwood_cwnd_event,
	.in_ack_event = (void *)westwood_in_ack_event,
	.pkts_acked = (void *)westwood_pkts_acked,
	.undo_cwnd = (void *)westwood_undo_cwnd,
	.name = "westwood",
};
