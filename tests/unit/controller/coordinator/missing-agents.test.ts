import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { askAgent } from '#controller/coordinator/ask-agent.ts';
import { waitForAgents } from '#controller/coordinator/wait-for-agents.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import { HeldTime, settle } from '../../../support/held-time.ts';

let time: HeldTime;
let connected: Set<string>;
let looks: number;
let hub: EventEmitter & { isConnected: (name: string) => boolean; factsOf: () => null; send: () => void };
beforeEach(() => {
  time = new HeldTime();
  connected = new Set();
  looks = 0;
  hub = Object.assign(new EventEmitter(), {
    isConnected: (name: string) => connected.has(name),
    factsOf: () => null,
    send: () => undefined,
  });
});

/** How it has ended, as far as it has. */
function follow(promise: Promise<unknown>): { end: unknown } {
  const state: { end: unknown } = { end: null };
  promise.then(
    (value) => (state.end = value ?? 'done'),
    (error: unknown) => (state.end = (error as Error).message),
  );
  return state;
}

const leaveNothing = () =>
  expect([time.sleeperCount, hub.listenerCount('connected'), hub.listenerCount('message')]).toEqual([0, 0, 0]);

describe('who waits for Agents', () => {
  const wait = (names: string[], signal = new AbortController().signal) =>
    follow(
      waitForAgents({ hub, lookForAgents: () => (looks++, Promise.resolve()), time }, names, {
        timeoutMs: 60_500,
        signal,
      }),
    );

  test('goes on at once when the last has come', async () => {
    const waiting = wait(['laptop', 'desktop']);
    await time.pass(10_400);
    for (const name of ['laptop', 'desktop']) {
      await settle();
      expect(waiting.end).toBeNull();
      connected.add(name);
      hub.emit('connected', name);
    }
    await settle();
    expect(waiting.end).toBe('done');
    leaveNothing();
  });

  test('looks each second for those at other Controllers', async () => {
    const waiting = wait(['laptop']);
    await time.pass(20_000);
    expect(looks).toBe(21);
    connected.add('laptop'); // found by the look, of which nobody reports anything
    await time.pass(1_000);
    expect(waiting.end).toBe('done');
  });

  test('gives up at the limit, and names those that are missing', async () => {
    connected.add('laptop');
    const waiting = wait(['laptop', 'desktop']);
    await time.pass(60_499);
    expect(waiting.end).toBeNull();
    await time.pass(1);
    expect(waiting.end).toMatch(/^"desktop" did not connect within 61 s: start .* --name "desktop" on that machine/);
    leaveNothing();
  });

  test('ends when the Run does', async () => {
    const stop = new AbortController();
    const waiting = wait(['laptop'], stop.signal);
    await time.pass(5_000);
    stop.abort(new Error('The evaluator stopped the Run'));
    await settle();
    expect(waiting.end).toBe('The evaluator stopped the Run');
    leaveNothing();
  });
});

describe('an Agent that is asked', () => {
  const ask = () =>
    follow(
      askAgent(hub, {
        agent: 'laptop',
        message: { type: 'upload-visits' },
        timeoutMs: 15_000,
        readAnswer: (message) => (message.type === 'pong' ? 'answered' : null),
        sleep: time.sleep,
      }),
    );
  const say = (agent: string, message: AgentMessage) => hub.emit('message', agent, message);

  test('has its time to answer, and no answer of another one counts', async () => {
    connected.add('laptop');
    const asking = ask();
    say('desktop', { type: 'pong' });
    say('laptop', { type: 'visits-waiting' });
    hub.emit('disconnected', 'desktop');
    await time.pass(14_999);
    expect(asking.end).toBeNull();
    say('laptop', { type: 'pong' });
    await settle();
    expect(asking.end).toBe('answered');
    leaveNothing();
  });

  test.each([
    ['says nothing', () => time.pass(15_000), 'Agent "laptop" did not answer within 15 s'],
    [
      'goes',
      () => Promise.resolve(hub.emit('disconnected', 'laptop')),
      'Agent "laptop" disconnected before it answered',
    ],
  ])('and %s has not answered', async (_, play, problem) => {
    connected.add('laptop');
    const asking = ask();
    await play();
    await settle();
    expect(asking.end).toBe(problem);
    leaveNothing();
  });

  test('and is not there is not waited for', async () => {
    const asking = ask();
    await settle();
    expect(asking.end).toBe('Agent "laptop" is not connected');
    leaveNothing();
  });
});
