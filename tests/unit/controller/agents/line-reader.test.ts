import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { LineReader } from '#controller/agents/line-reader.ts';
import { mostBytesOfMessage, readMostBytes, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { loadFigureIds } from '#core/protocol/host-load.ts';
import { writeFrame } from '#core/protocol/read-message.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';

const reader = new LineReader();
const narrow = new LineReader({ mostHeapMegabytes: 24 });
afterAll(() => Promise.all([reader[Symbol.asyncDispose](), narrow[Symbol.asyncDispose]()]));

const read = (text: string) => reader.read(Buffer.from(text), false);
const passId = randomUUID();
/** The most bytes that one character takes in JSON. */
const longest = (length: number) => '\0'.repeat(length);

test.for(['pong', 'visit-ended', 'process-ended', 'network-applied', 'visits', 'capture', 'surprise'])(
  'a "%s" that is too large is refused before it is parsed',
  (type) => {
    const most = readMostBytes(type);
    // No JSON, which a parser would say.
    const text = `{"type":"${type}",`;
    const problem = `a message of type "${type}" has ${most + 1} bytes, and may have ${most}`;
    expect(read(text.padEnd(most + 1))).toEqual({ kind: 'problem', problem });
    expect(read(text.padEnd(Math.min(most, mostBytesOfMessage)))).toMatchObject({
      problem: expect.stringContaining('JSON') as string,
    });
  },
);

test('the kind of a large message is its first field, and no later one', async () => {
  const filler = 'x'.repeat(mostBytesOfMessage);
  expect(read(`{"x":"${filler}","type":"pong"}`)).toMatchObject({
    problem: expect.stringContaining('whose first field is not its type') as string,
  });
  expect(read(`{"type":"capture","x":"${filler}","type":"pong"}`)).toEqual({
    kind: 'problem',
    problem: 'it begins as of type "capture", and is of type "pong"',
  });
  expect(await read(`{"type":"capture","x":"${filler.repeat(9)}","type":"pong"}`)).toEqual({
    kind: 'problem',
    problem: 'it begins as of type "capture", and is of type "pong"',
  });
  expect(read('{"x":1,"type":"pong"}')).toMatchObject({ kind: 'message', message: { type: 'pong' } });
});

test.for([
  { type: 'pass-lost', passId, problem: longest(16_384) },
  { type: 'visit-ended', passId, sequence: 1, url: longest(4096), code: null, totalMs: null },
  {
    type: 'script-ended',
    orderId: passId,
    exitCode: 0,
    isTimedOut: false,
    durationMs: 1,
    output: longest(100_000),
  },
  { type: 'process-lost', processKey: longest(300), problem: longest(16_384), output: longest(100_000) },
  {
    type: 'network-applied',
    orderId: passId,
    problem: longest(16_384),
    check: null,
    fault: longest(16_384),
    figures: Array.from({ length: 500 }, () => ({ figure: longest(200), unit: 'ms', value: 1 })),
  },
] satisfies AgentMessage[])('the longest "$type" that the protocol allows is read', async (message) => {
  expect(await read(JSON.stringify(message))).toMatchObject({ kind: 'message', message: { type: message.type } });
});

test('a large message is parsed by another process, whose memory is not that of the Controller', async () => {
  const bomb = `{"type":"capture","capture":[${'{},'.repeat(1_500_000)}{}]}`;
  expect(Buffer.byteLength(bomb)).toBeLessThan(readMostBytes('capture'));
  const read = narrow.read(Buffer.from(bomb), false);
  expect(read).toBeInstanceOf(Promise);
  expect(await read).toMatchObject({ problem: expect.stringContaining('The process that read it ended') as string });
  const absent = { type: 'capture', capture: { captureId: passId, outcome: { kind: 'absent', reason: 'none' } } };
  const large = JSON.stringify({ ...absent, x: 'x'.repeat(2 ** 20) });
  expect(await narrow.read(Buffer.from(large), false)).toMatchObject({ kind: 'message', message: absent });
});

test.for([100, 2 ** 20])('what no database stores is left out of the texts of a message of %i bytes', async (bytes) => {
  const captureOf = (reason: string) => ({ captureId: passId, outcome: { kind: 'absent', reason } });
  const sent = { type: 'capture', capture: captureOf('a\0b\ud800'), x: 'x'.repeat(bytes) };
  const capture = captureOf('a\uFFFDb\uFFFD');
  expect(await read(JSON.stringify(sent))).toMatchObject({ kind: 'message', message: { capture } });
});

test('numbers that the database has no place for, or sums of them, are refused', () => {
  const ended = {
    type: 'script-ended',
    orderId: passId,
    exitCode: 2 ** 31,
    isTimedOut: false,
    durationMs: 1,
    output: '',
  };
  expect(read(JSON.stringify(ended))).toMatchObject({ problem: expect.stringContaining('exitCode') as string });
  for (const field of ['clockOffsetMs', 'clockErrorMs', 'firstPacketEpochMs']) {
    const outcome = { ...makeCaptured(), [field]: 1e308 };
    expect(read(JSON.stringify({ type: 'capture', capture: { captureId: passId, outcome } }))).toMatchObject({
      problem: expect.stringContaining(`capture.outcome.${field}`) as string,
    });
  }
  const figure = { kind: 'measured', value: 1e308 };
  const figures = Object.fromEntries(loadFigureIds.map((id) => [id, figure]));
  const load = { kind: 'measured', durationMs: 1, cpuCount: 1, figures };
  expect(read(JSON.stringify({ type: 'pass-ended', passId, load }))).toMatchObject({
    problem: expect.stringContaining('load.figures.busyRatio') as string,
  });
});

test('only Visits have bytes beside them', () => {
  const frameOf = (message: AgentMessage) => Buffer.from(writeFrame(message, [new Uint8Array(3)]));
  const visits = reader.read(frameOf({ type: 'visits', visits: [] }), true);
  expect(visits).toMatchObject({ kind: 'message', message: { type: 'visits', visits: [] } });
  expect('attached' in visits && [...visits.attached]).toEqual([0, 0, 0]);
  expect(reader.read(frameOf({ type: 'pong' }), true)).toEqual({
    kind: 'problem',
    problem: 'only Visits have bytes beside them',
  });
  expect(reader.read(Buffer.from([0, 0, 0, 9, 123]), true)).toEqual({
    kind: 'problem',
    problem: 'its frame is cut off',
  });
});
