import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPassRecorder } from '#agent/artefacts/pass-recorder.ts';
import { HeldCaptures } from '#agent/capture/held-captures.ts';
import { startCapture } from '#agent/capture/start-capture.ts';
import { CaptureSpool } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { CaptureOrder } from '#core/protocol/pass-order.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { openCaptureNetwork, type CaptureNetwork } from './support/capture-network.ts';

const stack = new AsyncDisposableStack();
let network: CaptureNetwork;
let folder: string;
beforeAll(async () => {
  network = stack.use(await openCaptureNetwork());
  folder = stack.use(await makeTemporaryFolder()).path;
});
afterAll(() => stack.disposeAsync());

/** From a user, so many datagrams of so many bytes. */
async function sendDatagrams(count: number, { from, bytes }: { from: string; bytes: number }): Promise<void> {
  const socket = createSocket('udp4');
  socket.bind(0, from);
  await once(socket, 'listening');
  const { discardPort, address } = network.server;
  for (let sent = 0; sent < count; sent++)
    await new Promise<void>((resolve, reject) =>
      socket.send(Buffer.alloc(bytes), discardPort, address, (error) => (error ? reject(error) : resolve())),
    );
  socket.close();
}

test('what is on its way when the capture is stopped is in the file', async () => {
  await using capture = await startCapture({
    interface: network.interface,
    filter: 'udp',
    file: path.join(folder, 'tail.pcap'),
    localAddresses: [],
    programs: ['pcap'],
  });
  await sendDatagrams(1000, { from: network.users[0], bytes: 8 });
  const { statistics } = await capture.stop();
  expect(statistics.udp).toEqual({ packets: 1000, flows: 1, quicFlows: 0 });
});

test('the Capture of a Pass has the packets of its User Agent alone, cut and limited as its Evaluation asks', async () => {
  const [user, other] = network.users;
  using database = openSpoolDatabase(path.join(folder, 'spool.sqlite'));
  const spool = new CaptureSpool(database, path.join(folder, 'traces'));
  const record = async (capture: { snapBytes: number; maxBytesPerPass: number }) => {
    const passId = randomUUID();
    const recorder = await startPassRecorder(
      {
        passId,
        runId: '1',
        roundId: randomUUID(),
        scenario: 'direct',
        userAgent: 'alice',
        engine: 'chrome',
        sourceAddress: user,
        pageLoad: PageLoadSchema.parse({}),
        browser: BrowserSettingsSchema.parse({}),
        visits: [{ url: 'http://192.0.2.9/', repetition: 1 }],
        capture: { ...capture, keepTraces: true },
      },
      {
        spool,
        controllerUrls: [`http://${network.server.address}:${network.server.controlPort}`],
        clock: { known: { offsetMs: 5, errorMs: 1 } },
      },
    );
    await sendDatagrams(50, { from: other, bytes: 400 });
    await sendDatagrams(100, { from: user, bytes: 400 });
    await recorder.finish();
    const found = spool.oldest()!;
    expect(found.captureId).toBe(passId);
    const { size } = statSync(spool.traceFile(passId));
    spool.forget(passId);
    return { capture: found.capture, size };
  };

  // The head of a pcap file has 24 bytes, that of a packet 16.
  const whole = await record({ snapBytes: 64, maxBytesPerPass: 24 + 100 * (16 + 64) });
  expect(whole.size).toBe(24 + 100 * (16 + 64));
  expect(whole.capture).toMatchObject({
    kind: 'captured',
    interface: network.interface,
    receivedPackets: 100,
    droppedByKernel: 0,
    isLimited: false,
    isBrokenOff: false,
    firstPort: 80,
    localAddresses: [user],
    statistics: { udp: { packets: 100, flows: 1, quicFlows: 0 } },
  });
  const limited = await record({ snapBytes: 512, maxBytesPerPass: 1000 });
  expect(limited.size).toBeGreaterThan(1000);
  expect(limited.capture).toMatchObject({ kind: 'captured', isLimited: true });
});

test('a Capture Point records what passes it by its filter, until the Round ends or another begins', async () => {
  const [user] = network.users;
  using database = openSpoolDatabase(path.join(folder, 'points.sqlite'));
  const spool = new CaptureSpool(database, path.join(folder, 'point-traces'));
  const heard = new EventEmitter();
  const said: AgentMessage[] = [];
  const captures = new HeldCaptures({
    spool,
    controllerUrls: [`http://${network.server.address}:${network.server.controlPort}`],
    clock: { known: { offsetMs: 0, errorMs: 1 } },
    send: (message) => {
      said.push(message);
      heard.emit('said');
    },
    log: pino({ level: 'silent' }),
  });
  /** Starts one, and returns its id and the answer. */
  const start = async (change: Partial<CaptureOrder> = {}) => {
    const order: CaptureOrder = {
      captureId: randomUUID(),
      roundId: 'first',
      capturePoint: 'ground',
      interface: network.interface,
      filter: 'udp',
      limits: { snapBytes: 64, maxBytesPerPass: 1e6, keepTraces: true },
      endAfterMs: 600_000,
      ...change,
    };
    const answered = once(heard, 'said');
    captures.start(order);
    await answered;
    return { order, answer: said.at(-1)! };
  };
  const takeOldest = () => {
    const { captureId, capture } = spool.oldest()!;
    spool.forget(captureId);
    return { captureId, ...capture };
  };

  const { order, answer } = await start();
  const { captureId } = order;
  expect(answer).toEqual({ type: 'capture-started', captureId, refusal: null });
  captures.start(order); // to repeat it changes nothing
  await sendDatagrams(20, { from: user, bytes: 100 });
  expect(captures.isCapturing).toBe(true);
  const ended = once(heard, 'said');
  captures.stop({ captureId, isBrokenOff: false });
  await ended;
  expect(said.slice(1)).toEqual([{ type: 'capture-ended', captureId }]);
  expect(captures.isCapturing).toBe(false);
  expect(takeOldest()).toMatchObject({
    captureId,
    kind: 'captured',
    interface: network.interface,
    receivedPackets: 20,
    isBrokenOff: false,
    keepsTrace: true,
    visitTimes: [],
  });

  expect((await start({ interface: 'none0' })).answer).toMatchObject({ refusal: { field: 'interface' } });
  expect((await start({ filter: 'no filter' })).answer).toMatchObject({ refusal: { field: 'filter' } });
  expect([captures.isCapturing, spool.oldest()]).toEqual([false, null]);

  const left = (await start({ filter: '' })).order;
  const next = (await start({ roundId: 'second' })).order;
  expect(takeOldest()).toMatchObject({ captureId: left.captureId, isBrokenOff: true });
  await captures.close();
  expect(takeOldest()).toMatchObject({ captureId: next.captureId, isBrokenOff: true });
});
