import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HeldCaptures } from '#agent/capture/held-captures.ts';
import { CaptureSpool } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { CaptureOrder } from '#core/protocol/pass-order.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { openCaptureNetwork, type CaptureNetwork } from './support/capture-network.ts';
import { countPackets } from './support/tshark.ts';

const stack = new AsyncDisposableStack();
let network: CaptureNetwork;
beforeAll(async () => {
  network = stack.use(await openCaptureNetwork());
});
afterAll(() => stack.disposeAsync());

/** The Captures of an Agent whose Controller is the server's control port; `answers` is what the Agent sends. */
async function openCaptures() {
  const folder = await makeTemporaryFolder();
  const database = openSpoolDatabase(path.join(folder.path, 'spool.sqlite'));
  const spool = new CaptureSpool(database, path.join(folder.path, 'traces'));
  const answers: AgentMessage[] = [];
  const controllerUrl = `http://${network.server.address}:${network.server.controlPort}`;
  const captures = new HeldCaptures({
    spool,
    controllerUrls: [controllerUrl],
    clock: { known: { offsetMs: 5, errorMs: 1 } },
    send: (message) => void answers.push(message),
    log: pino({ level: 'silent' }),
  });
  return {
    captures,
    spool,
    answers,
    async [Symbol.asyncDispose]() {
      await captures.close();
      database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function makeOrder(change: Partial<CaptureOrder> = {}): CaptureOrder {
  const limits = { snapBytes: 512, maxBytesPerPass: 10_000_000, keepTraces: true };
  return {
    captureId: randomUUID(),
    roundId: randomUUID(),
    capturePoint: 'here',
    interface: network.interface,
    filter: '',
    limits,
    endAfterMs: 600_000,
    ...change,
  };
}

async function download(): Promise<void> {
  const request = http.get({
    host: network.server.address,
    port: network.server.httpPort,
    path: '/100000',
    localAddress: network.users[1],
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(response.resume(), 'end');
}

/** One word to the control channel and back. */
async function chat(): Promise<void> {
  const socket = net.connect({
    host: network.server.address,
    port: network.server.controlPort,
    localAddress: network.users[0],
  });
  socket.write('x'.repeat(1000));
  await once(socket, 'data');
  socket.destroy();
}

test.for(['', 'tcp or udp'])(
  'with the filter "%s" it has all that the filter lets through, but nothing of the control channel',
  async (filter) => {
    await using it = await openCaptures();
    const order = makeOrder({ filter });
    it.captures.start(order);
    await expect
      .poll(() => it.answers, { timeout: 60_000 })
      .toEqual([{ type: 'capture-started', captureId: order.captureId, refusal: null }]);
    await chat();
    await download();
    await chat();
    it.captures.stop({ captureId: order.captureId, isBrokenOff: false });
    await expect
      .poll(() => it.answers.slice(1), { timeout: 60_000 })
      .toEqual([{ type: 'capture-ended', captureId: order.captureId }]);
    const { capture } = it.spool.oldest()!;
    if (capture.kind === 'absent') throw new Error(capture.reason);
    expect(capture).toMatchObject({
      interface: network.interface,
      isBrokenOff: false,
      clockOffsetMs: expect.closeTo(5, -1) as number,
      keepsTrace: true,
      visitTimes: [],
      statistics: { tcp: { connections: 1 } },
    });
    expect(capture.statistics.directions!.received.bytes).toBeGreaterThan(100_000);
    expect(await countPackets(it.spool.traceFile(order.captureId), `tcp.port == ${network.server.controlPort}`)).toBe(
      0,
    );
    expect(
      await countPackets(it.spool.traceFile(order.captureId), `tcp.port == ${network.server.httpPort}`),
    ).toBeGreaterThan(70);
  },
);

test('what can never be captured by is refused, and nothing is left of it', async () => {
  await using it = await openCaptures();
  for (const change of [{ filter: 'no such thing' }, { interface: 'absent0' }]) it.captures.start(makeOrder(change));
  await expect
    .poll(() => it.answers, { timeout: 60_000 })
    .toMatchObject([
      {
        type: 'capture-started',
        refusal: { field: 'filter', problem: expect.stringContaining('no such thing') as string },
      },
      { type: 'capture-started', refusal: { field: 'interface', problem: 'this host has no interface "absent0"' } },
    ]);
  expect([it.captures.isCapturing, it.spool.oldest()]).toEqual([false, null]);
});

test('a Capture whose end was never reported ends with the order of another Round, or at its limit', async () => {
  await using it = await openCaptures();
  const [first, second] = [makeOrder(), makeOrder({ endAfterMs: 50 })];
  it.captures.start(first);
  it.captures.start(second);
  await expect.poll(() => [it.answers.length, it.captures.isCapturing], { timeout: 60_000 }).toEqual([2, false]);
  for (const { captureId } of [first, second]) {
    expect(it.spool.oldest()).toMatchObject({ captureId, capture: { kind: 'captured', isBrokenOff: true } });
    it.spool.forget(captureId);
  }
});
