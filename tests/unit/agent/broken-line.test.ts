import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { holdAgent, makeOrder, type HeldAgent } from './hold-agent.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // it starts processes
const within = { timeout: 110_000, interval: 10 };

let agent: HeldAgent;
let pages: Server;
let url: string;
/** What happened at the page that does not end, and in the Passes, in order. */
let events: string[];
let release: () => void;

beforeEach(async () => {
  events = [];
  pages = createServer((request, response) => {
    if (request.url !== '/held') return void response.end('<title>Good</title>');
    events.push('asked');
    response.on('close', () => events.push('left'));
    release = () => response.end('<title>Late</title>');
  });
  await once(pages.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  agent = await holdAgent();
  await hear('hello');
});
afterEach(async () => {
  await agent[Symbol.asyncDispose]();
  pages.closeAllConnections();
  pages.close();
});

/** Resolves with what the Agent says of this, or has said. */
async function hear<T extends AgentMessage['type']>(
  type: T,
  isMeant: (message: Extract<AgentMessage, { type: T }>) => boolean = () => true,
): Promise<Extract<AgentMessage, { type: T }>> {
  const find = () =>
    agent.said.find(
      (message): message is Extract<AgentMessage, { type: T }> =>
        message.type === type && isMeant(message as Extract<AgentMessage, { type: T }>),
    );
  await passUntil(() => find() !== undefined);
  return find()!;
}
const hearOf = (type: 'pass-ready' | 'pass-ended', { passId }: PassOrder) =>
  hear(type, (message) => message.passId === passId);

async function prepare(order: PassOrder): Promise<void> {
  agent.send({ type: 'prepare-pass', order });
  await hearOf('pass-ready', order);
  events.push('ready');
}

const start = ({ passId }: PassOrder) => agent.send({ type: 'start-pass', passId, startEpochMs: epochClock() });

/** Lets time pass on the line until this holds. */
const passUntil = (holds: () => boolean) =>
  expect
    .poll(async () => {
      await agent.time.pass(200);
      return holds();
    }, within)
    .toBe(true);

/** As a Controller that was started again: resolves when the Agent has said hello to it. */
async function letIn(): Promise<Extract<AgentMessage, { type: 'hello' }>> {
  const heard = agent.said.length;
  agent.resume();
  await passUntil(() => agent.said.length > heard);
  return agent.said[heard] as Extract<AgentMessage, { type: 'hello' }>;
}

/** The Controller is killed and started again. */
function restartController(): Promise<Extract<AgentMessage, { type: 'hello' }>> {
  agent.break();
  return letIn();
}

describe('a Round whose end never reached an Agent', () => {
  it('holds up no upload of a later one, where its Pass waited for the start', async () => {
    const [earlier, later] = [makeOrder({ roundId: randomUUID(), url }), makeOrder({ roundId: randomUUID(), url })];
    await prepare(earlier);
    expect((await restartController()).passes).toEqual([{ passId: earlier.passId, state: 'ready' }]);

    await prepare(later);
    start(later);
    await hearOf('pass-ended', later);
    agent.send({ type: 'upload-visits' });
    expect((await hear('visits')).visits).toMatchObject([{ passId: later.passId, outcome: { status: 'ok' } }]);
    expect((await restartController()).passes).toMatchObject([{ passId: later.passId, state: 'ended' }]);
  });

  it('loads nothing any more when the next one is made ready', async () => {
    const [earlier, later] = [
      makeOrder({ roundId: randomUUID(), url: `${url}/held` }),
      makeOrder({ roundId: randomUUID(), url }),
    ];
    await prepare(earlier);
    start(earlier);
    await expect.poll(() => events, within).toContain('asked');
    expect((await restartController()).passes).toEqual([{ passId: earlier.passId, state: 'running' }]);

    await prepare(later);
    expect(events).toEqual(['ready', 'asked', 'left', 'ready']);
  });

  it('is another than that of Passes which are made beside each other', async () => {
    const roundId = randomUUID();
    const orders = [makeOrder({ roundId, url }), makeOrder({ roundId, url })];
    for (const order of orders) await prepare(order);
    expect((await restartController()).passes).toEqual(orders.map(({ passId }) => ({ passId, state: 'ready' })));
  });
});

it('a Pass that is made ready while the line is down reads the clock when it is back', async () => {
  const order = makeOrder({ roundId: randomUUID(), url });
  agent.send({ type: 'prepare-pass', order });
  await obeyed();
  agent.break();
  // Meanwhile the client has started, and the clock is to be read.
  await passUntil(() => agent.knocks >= 4);
  await letIn();
  await hearOf('pass-ready', order);
});

it('what was to be uploaded while the line was down is uploaded when it is back', async () => {
  const order = makeOrder({ roundId: randomUUID(), url: `${url}/held` });
  await prepare(order);
  start(order);
  await expect.poll(() => events, within).toContain('asked');
  agent.send({ type: 'upload-visits' });
  await obeyed();
  agent.break();
  await passUntil(() => agent.knocks >= 1);
  release();
  await expect.poll(() => agent.logged, within).toContain('No Pass is under way');
  await letIn();
  expect((await hear('visits', ({ visits }) => visits.length > 0)).visits).toMatchObject([{ passId: order.passId }]);
});

/** Resolves when the Agent has taken in all that was sent to it before: it says at once that it runs no scripts. */
async function obeyed(): Promise<void> {
  const orderId = randomUUID();
  agent.send({ type: 'run-script', orderId, script: '', timeoutMs: 1000, environment: {} });
  await hear('script-ended', (message) => message.orderId === orderId);
}
