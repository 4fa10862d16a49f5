import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { HeldCaptures } from '#agent/capture/held-captures.ts';
import type { CaptureOrder } from '#core/protocol/pass-order.ts';
import { startPassRecorder, findFirstPort } from '#agent/artefacts/pass-recorder.ts';
import { VisitMeter } from '#agent/artefacts/visit-meter.ts';
import { CaptureSpool, SpooledCaptureSchema, type SpooledCapture } from '#agent/spool/capture-spool.ts';
import { CaptureUploader, toMessage } from '#agent/spool/capture-uploader.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { readMostBytes, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { makeCaptured, traceBytes } from '../../support/captured-trace.ts';
import { handshake, plainShape, server, startEpochNs, tracePackets, type Step } from '../../support/packets/measure.ts';
import { pcapBytes } from '../../support/packets/trace-bytes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'http-ae-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const openDatabase = () => openSpoolDatabase(path.join(folder, 'spool.sqlite'));
const tracesFolder = () => path.join(folder, 'traces');

function makeSpooled(): SpooledCapture {
  return SpooledCaptureSchema.parse({
    ...makeCaptured(),
    keepsTrace: true,
    visitTimes: [{ visitId: randomUUID(), startedEpochMs: 1, endedEpochMs: 2 }],
  });
}

describe('the spool of Captures', () => {
  it('keeps them and their traces over a restart until they are forgotten, oldest first, and removes traces of Passes that never ended', () => {
    const [first, second, killed] = [randomUUID(), randomUUID(), randomUUID()];
    const capture = makeSpooled();
    {
      using database = openDatabase();
      const spool = new CaptureSpool(database, tracesFolder());
      for (const passId of [first, second, killed]) writeFileSync(spool.traceFile(passId), traceBytes);
      spool.add(first, capture);
      spool.add(second, { kind: 'absent', reason: 'no right to capture' });
    }
    using database = openDatabase();
    const spool = new CaptureSpool(database, tracesFolder());
    expect(readdirSync(tracesFolder()).sort()).toEqual([`${first}.pcap`, `${second}.pcap`].sort());
    expect(spool.oldest()).toEqual({ captureId: first, capture });
    spool.forget(first);
    expect(spool.oldest()).toEqual({ captureId: second, capture: { kind: 'absent', reason: 'no right to capture' } });
    expect(readdirSync(tracesFolder())).toEqual([`${second}.pcap`]);
    spool.setAside(second, 'unknown Pass');
    expect(spool.oldest()).toBeNull();
    expect(readdirSync(tracesFolder())).toEqual([`${second}.pcap`]);
  });

  it('sets one of another version aside, whose statistics it cannot read, so that no other waits behind it', () => {
    using database = openDatabase();
    const spool = new CaptureSpool(database, tracesFolder());
    const [other, own] = [randomUUID(), randomUUID()];
    const capture = makeSpooled();
    if (capture.kind === 'absent') throw new Error(capture.reason);
    const statistics = { ...capture.statistics, version: 0 };
    spool.add(other, { ...capture, statistics } as unknown as SpooledCapture);
    spool.add(own, { kind: 'absent', reason: 'no right to capture' });
    expect(spool.oldest()?.captureId).toBe(own);
    const { refusal } = database.prepare('select refusal from capture where pass_id = ?').get(other)!;
    expect(refusal).toContain('This Agent cannot read it');
  });
});

test('a Capture that cannot be kept holds up no order and no answer', async () => {
  const database = openDatabase();
  const spool = new CaptureSpool(database, tracesFolder());
  const said: AgentMessage[] = [];
  const captures = new HeldCaptures({
    spool,
    controllerUrls: ['http://127.0.0.1:9'],
    clock: { known: { offsetMs: 0, errorMs: 1 } },
    send: (message) => said.push(message),
    log: pino({ level: 'silent' }),
  });
  const order = (roundId: string): CaptureOrder => ({
    captureId: randomUUID(),
    roundId,
    capturePoint: 'ground',
    interface: 'any', // whether this machine may capture does not matter
    filter: '',
    limits: { snapBytes: 64, maxBytesPerPass: 1e6, keepTraces: false },
    endAfterMs: 600_000,
  });
  const [first, second] = [order('first'), order('second')];
  captures.start(first);
  await expect.poll(() => said.length, { timeout: 30_000 }).toBe(1);
  database.close(); // as a disk that is full
  captures.start(second);
  captures.stop({ captureId: second.captureId, isBrokenOff: false });
  await captures.close();
  expect(said).toEqual([
    { type: 'capture-started', captureId: first.captureId, refusal: null },
    { type: 'capture-started', captureId: second.captureId, refusal: null },
    { type: 'capture-ended', captureId: second.captureId },
  ]);
  expect(captures.isCapturing).toBe(false);
});

describe('the message of a Capture', () => {
  const captured = makeCaptured();
  const { statistics } = captured;
  const withConnections = (count: number, bins: number) => {
    const [connection] = statistics.connections;
    const throughput = { binMs: 100, bins: Array.from({ length: bins }, (_, index) => 1e10 + index), bytes: [] };
    const connections = Array.from({ length: count }, (_, index) => ({ ...connection!, startMs: index, throughput }));
    return { ...captured, statistics: { ...statistics, connections } };
  };

  it('is the Capture itself where that is as large as usual', () => {
    const captureId = randomUUID();
    expect(toMessage(captureId, captured)).toEqual({ type: 'capture', capture: { captureId, outcome: captured } });
    const usual = withConnections(1000, 10);
    expect(toMessage(captureId, usual).capture.outcome).toBe(usual);
  });

  it('leaves out the last connections of one that the Controller would refuse, and none of its counts', () => {
    const large = withConnections(1000, 1400);
    const message = toMessage(randomUUID(), large);
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(readMostBytes('capture'));
    const { outcome } = message.capture;
    if (outcome.kind === 'absent') throw new Error(outcome.reason);
    const { connections, ...rest } = outcome.statistics;
    expect(connections).toEqual(large.statistics.connections.slice(0, 500));
    expect(rest).toEqual({ ...large.statistics, connections: undefined, udpFlows: [] });
  });
});

describe('the recorder of a Pass', () => {
  const order = {
    passId: randomUUID(),
    runId: '1',
    roundId: randomUUID(),
    scenario: 'direct',
    userAgent: 'alice',
    engine: 'chrome' as const,
    pageLoad: PageLoadSchema.parse({}),
    browser: BrowserSettingsSchema.parse({}),
    visits: [{ url: 'http://origin.test/', repetition: 1 }],
  };
  const clock = { known: { offsetMs: 0, errorMs: 1 } };
  const settings = { snapBytes: 512, maxBytesPerPass: 1_000_000, keepTraces: true };

  it('holds no Pass up where it cannot capture, and says why', async () => {
    using database = openDatabase();
    const spool = new CaptureSpool(database, tracesFolder());
    await using recorder = await startPassRecorder(
      { ...order, sourceAddress: '192.0.2.77', capture: settings },
      { spool, controllerUrls: ['http://127.0.0.1:1'], clock },
    );
    recorder.addVisit({ visitId: randomUUID(), startedEpochMs: 1, endedEpochMs: 2 }, clock.known);
    await recorder.finish();
    expect(spool.oldest()).toEqual({
      captureId: order.passId,
      capture: { kind: 'absent', reason: 'No interface of this host has the address 192.0.2.77' },
    });
  });

  it('records nothing where nothing is asked for', async () => {
    using database = openDatabase();
    const spool = new CaptureSpool(database, tracesFolder());
    await using recorder = await startPassRecorder(
      { ...order, capture: null },
      { spool, controllerUrls: ['http://127.0.0.1:1'], clock },
    );
    await recorder.finish();
    expect(spool.oldest()).toBeNull();
  });
});

describe('the uploader of Captures', () => {
  function open(complete: ConstructorParameters<typeof CaptureUploader>[1]['complete']) {
    const database = openDatabase();
    const spool = new CaptureSpool(database, tracesFolder());
    const sent: AgentMessage[] = [];
    const state = { isMeasuring: false };
    const uploader = new CaptureUploader(spool, {
      complete,
      send: (message) => void sent.push(message),
      mustWait: () => state.isMeasuring,
      log: pino({ level: 'silent' }),
    });
    return { spool, sent, state, uploader, [Symbol.dispose]: () => database.close() };
  }
  const absent = { kind: 'absent' as const, reason: 'no right to capture' };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('sends nothing while a Pass is measured, then one after the other, each after the one before was acknowledged', async () => {
    using it = open(() => Promise.resolve(absent));
    const [first, second] = [randomUUID(), randomUUID()];
    it.spool.add(first, absent);
    it.spool.add(second, absent);
    it.state.isMeasuring = true;
    it.uploader.uploadNext();
    await settled();
    expect(it.sent).toEqual([]);

    it.state.isMeasuring = false;
    it.uploader.uploadNext();
    it.uploader.uploadNext();
    await settled();
    expect(it.sent).toEqual([{ type: 'capture', capture: { captureId: first, outcome: absent } }]);
    it.uploader.handleStored(first);
    await settled();
    expect(it.sent.slice(1)).toEqual([{ type: 'capture', capture: { captureId: second, outcome: absent } }]);
    it.uploader.handleDisconnect();
    it.uploader.uploadNext();
    await settled();
    expect(it.sent.slice(2)).toEqual([{ type: 'capture', capture: { captureId: second, outcome: absent } }]);
  });

  it('uploads a Capture and its trace again when the Controller wants it, and not before the next order', async () => {
    let completions = 0;
    using it = open(() => {
      completions++;
      return Promise.resolve(absent);
    });
    const captureId = randomUUID();
    it.spool.add(captureId, absent);
    it.uploader.uploadNext();
    await settled();
    it.uploader.handleWanted(captureId);
    await settled();
    expect([completions, it.sent.length]).toEqual([1, 1]);
    it.uploader.uploadNext();
    await settled();
    expect([completions, it.sent.length]).toEqual([2, 2]);
    it.uploader.handleStored(captureId);
    expect(it.spool.oldest()).toBeNull();
  });

  it('breaks an upload off when a Pass is to be measured, and begins it again after', async () => {
    const starts: AbortSignal[] = [];
    using it = open((_, signal) => {
      starts.push(signal);
      if (starts.length > 1) return Promise.resolve(absent);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    it.spool.add(randomUUID(), absent);
    it.uploader.uploadNext();
    it.uploader.pause();
    await settled();
    expect(it.sent).toEqual([]);
    it.uploader.uploadNext();
    await settled();
    expect(starts.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(it.sent).toHaveLength(1);
  });
});

describe('a Pass', () => {
  const startEpochMs = Number(startEpochNs / 1_000_000n);
  /** In ms of the trace. */
  const firstPacketOf = ({ port, from }: { port: number | null; from: number }) => {
    const meter = new VisitMeter(
      [{ visitId: '0', startedEpochMs: startEpochMs + from, endedEpochMs: startEpochMs + 200 }],
      { keepsConnections: false, localAddresses: [], firstPort: port },
    );
    meter.push(pcapBytes(plainShape, tracePackets([...earlier, ...handshake(20), ...handshake(50)])));
    const { firstPacketEpochMs } = meter.finish();
    return firstPacketEpochMs === null ? null : firstPacketEpochMs - startEpochMs;
  };
  /** The end of a connection that was there before. */
  const earlier: Step[] = [
    { atMs: 0, way: '<', flags: 'FA', sequence: 9000, acknowledgement: 800 },
    { atMs: 5, way: '>', flags: 'A', sequence: 800, acknowledgement: 9001 },
  ];

  it('begins with the packet that opens the first connection to the first page, or to the proxy', () => {
    expect(firstPacketOf({ port: server.port, from: 0 })).toBe(20);
    expect(firstPacketOf({ port: server.port, from: 21 })).toBe(50);
    expect(firstPacketOf({ port: 443, from: 0 })).toBeNull();
    expect(firstPacketOf({ port: null, from: 0 })).toBeNull();
  });
});

it.each([
  ['http://origin.test/', {}, 80],
  ['https://origin.test/', {}, 443],
  ['https://origin.test:8443/', {}, 8443],
  ['http://origin.test/', { proxy: 'socks5://proxy.test:1081' }, 1081],
  ['https://origin.test/', { proxy: 'http://proxy.test' }, 80],
  ['https://origin.test/', { pac: 'function FindProxyForURL() { return "DIRECT" }' }, null],
])('the first packet of a Pass to %s with %j goes to port %s', (url, settings, port) => {
  expect(findFirstPort({ visits: [{ url, repetition: 1 }], browser: BrowserSettingsSchema.parse(settings) })).toBe(
    port,
  );
});
