import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  handshake,
  measure,
  measureSteps,
  plainShape,
  tracePackets,
  type Step,
} from '#tests/support/packets/measure.ts';
import {
  applicationProtocols,
  chosenVersion,
  clientHello,
  padding,
  serverHello,
} from '#tests/support/packets/tls-bytes.ts';
import { pcapBytes } from '#tests/support/packets/trace-bytes.ts';

const hello = clientHello([padding(1500), applicationProtocols('h2', 'http/1.1')]);

/** A stream in segments that end at these places. */
function segments(way: Step['way'], stream: Uint8Array, cuts: number[] = []): Step[] {
  const ends = [...cuts, stream.length];
  const [sequence, acknowledgement] = way === '>' ? [1001, 5001] : [5001, 1001];
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : ends[index - 1]!;
    return {
      atMs: 20 + index,
      way,
      flags: 'A',
      sequence: sequence + start,
      acknowledgement,
      payload: stream.subarray(start, end),
    };
  });
}

const tlsOf = (...steps: Step[]) => measureSteps([...handshake(), ...steps]).connections[0]!.tls;

test.for([
  [
    'TLS 1.3, whose application protocol is encrypted',
    serverHello([padding(1100), chosenVersion(0x0304)]),
    { version: 'TLS 1.3', protocol: null },
  ],
  [
    'TLS 1.2 with its application protocol',
    serverHello([applicationProtocols('h2')]),
    { version: 'TLS 1.2', protocol: 'h2' },
  ],
  ['TLS 1.0 without extensions of note', serverHello([], 0x0301), { version: 'TLS 1.0', protocol: null }],
] as const)('%s is reported', ([, answer, expected]) => {
  expect(tlsOf(...segments('>', hello, [1448]), ...segments('<', answer))).toEqual({
    offeredProtocols: ['h2', 'http/1.1'],
    isCut: false,
    ...expected,
  });
});

test('a hello in the SYN, as TCP Fast Open sends it, is read', () => {
  const sequence = 1001 + hello.length;
  const opening: Step[] = [
    { atMs: 0, way: '>', flags: 'S', sequence: 1000, payload: hello },
    { atMs: 10, way: '<', flags: 'SA', sequence: 5000, acknowledgement: sequence },
    { atMs: 10.5, way: '>', flags: 'A', sequence, acknowledgement: 5001 },
  ];
  const { connections } = measureSteps([...opening, ...segments('<', serverHello([chosenVersion(0x0304)]))]);
  expect(connections[0]!.tls).toEqual({
    version: 'TLS 1.3',
    offeredProtocols: ['h2', 'http/1.1'],
    protocol: null,
    isCut: false,
  });
});

test('a hello is put together from segments in any order, sent twice, and from several records', () => {
  const stream = clientHello([applicationProtocols('h3'), padding(900)], 200);
  const cuts = fc
    .uniqueArray(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 6 })
    .map((places) => places.sort((a, b) => a - b));
  fc.assert(
    fc.property(
      cuts.chain((places) =>
        fc.shuffledSubarray([...segments('>', stream, places), ...segments('>', stream, places)], {
          minLength: 2 * places.length + 2,
        }),
      ),
      (steps) => {
        expect(tlsOf(...steps, ...segments('<', serverHello([chosenVersion(0x0304)])))).toMatchObject({
          offeredProtocols: ['h3'],
          version: 'TLS 1.3',
          isCut: false,
        });
      },
    ),
  );
});

test('what a snap length left of the hellos is reported as cut, and nothing is made up', () => {
  const steps = [
    ...handshake(),
    ...segments('>', hello),
    ...segments('<', serverHello([padding(1100), chosenVersion(0x0304)])),
  ];
  const { connections } = measure(pcapBytes({ ...plainShape, snapBytes: 200 }, tracePackets(steps)));
  // Without the extension that announces 1.3, the version before it in the hello would be wrong.
  expect(connections[0]!.tls).toEqual({ version: null, offeredProtocols: null, protocol: null, isCut: true });
});

test('of a hello in which a segment is missing, what is before the gap is read', () => {
  const stream = clientHello([applicationProtocols('h3', 'h2'), padding(1500)]);
  const [first, , third] = segments('>', stream, [120, 600]);
  const answer = segments('<', serverHello([chosenVersion(0x0304)]));
  for (const steps of [
    [first!, third!],
    [third!, first!],
  ])
    expect(tlsOf(...steps, ...answer)).toEqual({
      offeredProtocols: ['h3', 'h2'],
      version: 'TLS 1.3',
      protocol: null,
      isCut: true,
    });
  // Without its beginning it is no hello.
  expect(tlsOf(third!)).toBeNull();
  expect(tlsOf(third!, ...answer)).toMatchObject({ offeredProtocols: null, version: 'TLS 1.3', isCut: true });
});

test.for([
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['an alert', Uint8Array.of(21, 3, 3, 0, 2, 2, 40)],
  ['a handshake that is no hello', Uint8Array.of(22, 3, 3, 0, 4, 20, 0, 0, 0)],
] as const)('%s is no TLS handshake', ([, stream]) => {
  expect(tlsOf(...segments('>', stream))).toBeNull();
});

test('a hello of any bytes never breaks the reading', () => {
  fc.assert(
    fc.property(fc.nat(hello.length - 1), fc.nat(255), (place, byte) => {
      const spoiled = Uint8Array.from(hello);
      spoiled[place] = byte;
      tlsOf(...segments('>', spoiled));
    }),
  );
});
