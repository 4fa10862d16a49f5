import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseRetransmissions } from '#httpep/counters/retransmission-reader.ts';
import { startSite } from '../support/start-site.ts';

test('the total of each connection is read from the details behind its line', () => {
  const text = [
    'ESTAB 0      0               127.0.0.1:9000         127.0.0.1:58674',
    '\t cubic wscale:10,10 rto:212 rtt:10.4/13.6 cwnd:45 bytes_retrans:2896 retrans:1/12 rcv_space:169863',
    'ESTAB 0      0      [::ffff:127.0.0.1]:9000 [::ffff:127.0.0.1]:58676',
    '\t cubic wscale:10,10 rto:212 rtt:10.4/13.6 cwnd:45',
    'LISTEN 0 511 *:80 *:*',
    '\t retrans:0/5',
    'ESTAB 0 0 127.0.0.1:1 127.0.0.1:2',
  ].join('\n');
  expect([...parseRetransmissions(text)]).toEqual([
    ['9000 58674', 12],
    ['9000 58676', 0],
  ]);
  expect(parseRetransmissions('')).toEqual(new Map());
});

const hasSs = spawnSync('ss', ['-V']).status === 0;
if (!hasSs) console.warn('SKIPPED: the kernel’s retransmissions: install iproute2');

test.skipIf(!hasSs)('both ends ask the kernel about each of their connections, in a number', async () => {
  await using site = await startSite({ '/': (response) => response.end('x'.repeat(50_000)) });
  await site.proxied('/');
  for (const { counters } of [site.remote, site.ground]) {
    const read = () =>
      counters
        .readRows()
        .filter(({ kind }) => kind === 'connection')
        .map(({ sums }) => sums.retransmissions);
    expect(read()).toEqual([undefined, undefined, undefined, undefined]);
    await counters.refresh();
    // TCP probes the tail where an acknowledgement is late, as on a busy machine.
    for (const sent of read()) expect([0, 1]).toContain(sent);
  }
});
