import { expect, test } from 'vitest';
import { buildCaptureFilter } from '#agent/capture/build-capture-filter.ts';
import { readTcpdumpCounters, readTcpdumpProgress } from '#agent/capture/start-capture.ts';

test.for([
  [{ addresses: ['10.0.0.1'] }, '(host 10.0.0.1)'],
  [
    { addresses: ['10.0.0.1', '2001:db8::1'], excluded: [{ address: '10.0.0.9', port: 8420 }] },
    '(host 10.0.0.1 or host 2001:db8::1) and not (host 10.0.0.9 and tcp port 8420)',
  ],
  [
    {
      addresses: [],
      excluded: [
        { address: '::1', port: 1 },
        { address: '::2', port: 2 },
      ],
    },
    'not (host ::1 and tcp port 1) and not (host ::2 and tcp port 2)',
  ],
  [{ addresses: [] }, ''],
] as const)('%j is the filter "%s"', ([scope, filter]) => {
  expect(buildCaptureFilter(scope)).toBe(filter);
});

test('a filter takes addresses only: no name that would be looked up, and nothing that would change its meaning', () => {
  for (const text of ['example.org', '10.0.0.1 or tcp', ''])
    expect(() => buildCaptureFilter({ addresses: [text] })).toThrow('is no IP address that packets can be chosen by');
});

test('tcpdump reports its counters at its end, and says nothing of an interface that dropped none', () => {
  const words =
    'tcpdump: listening on eth0\n1 packet captured\n20 packets received by filter\n3 packets dropped by kernel\n';
  expect(readTcpdumpCounters(words)).toEqual({ receivedPackets: 20, droppedByKernel: 3, droppedByInterface: 0 });
  expect(readTcpdumpCounters(`${words}1 packet dropped by interface\n`).droppedByInterface).toBe(1);
  for (const lost of ['20 packets received by filter\n', '3 packets dropped by kernel\n'])
    expect(() => readTcpdumpCounters(words.replace(lost, ''))).toThrow('tcpdump ended without its counters');
  expect(() => readTcpdumpCounters('tcpdump: listening\ntcpdump: pcap_loop: The interface disappeared\n')).toThrow(
    'The interface disappeared',
  );
});

test('tcpdump says how many packets it has taken, of those that the kernel received and did not drop', () => {
  const line = 'tcpdump: 514 packets captured, 1000 packets received by filter, 30 packets dropped by kernel';
  expect(readTcpdumpProgress(line)).toEqual({ taken: 514, kept: 970 });
  expect(readTcpdumpProgress(line.replace('514 packets', '1 packet'))).toEqual({ taken: 1, kept: 970 });
  expect(readTcpdumpProgress('tcpdump: listening on eth0, link-type EN10MB (Ethernet)')).toBeNull();
});
