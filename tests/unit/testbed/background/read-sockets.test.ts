import { expect, it } from 'vitest';
import { readSockets } from '#testbed/background/socket-watch.ts';

it('reads round trip, bytes sent and bytes sent again of each connection, and 0 for what the kernel leaves out', () => {
  const output = `ESTAB 0      1448         198.19.0.1:25001     198.19.0.2:51234 cubic wscale:10,10 rto:304 rtt:103.2/1.5 mss:1448 pmtu:1500 cwnd:17 bytes_sent:1234567 bytes_retrans:4344 bytes_acked:1200000 segs_out:900 minrtt:100.1 rcv_rtt:250
ESTAB 0      0            198.19.0.1:25001     198.19.0.2:51236 cubic wscale:10,10 rto:1000 mss:1448 pmtu:1500 cwnd:10
`;
  expect(readSockets(output)).toEqual([
    {
      connection: '198.19.0.1:25001 198.19.0.2:51234',
      roundTripMs: 103.2,
      sentBytes: 1_234_567,
      retransmittedBytes: 4344,
    },
    { connection: '198.19.0.1:25001 198.19.0.2:51236', roundTripMs: null, sentBytes: 0, retransmittedBytes: 0 },
  ]);
  expect(readSockets('\n')).toEqual([]);
});
