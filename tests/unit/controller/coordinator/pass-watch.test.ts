import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { PassWatch, type StepChange } from '#controller/coordinator/pass-watch.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { makeOrder } from '../../agent/hold-agent.ts';

type Held = Extract<AgentMessage, { type: 'hello' }>['passes'];

/** The lines to the Agents, whose part the test plays. */
class PlayedLines extends EventEmitter {
  readonly connected = new Set(['laptop', 'desktop']);
  readonly sent: { agent: string; message: ControllerMessage }[] = [];
  isConnected = (agent: string) => this.connected.has(agent);
  factsOf = () => null;
  send = (agent: string, message: ControllerMessage) => {
    if (this.connected.has(agent)) this.sent.push({ agent, message });
  };

  say(agent: string, message: AgentMessage): void {
    this.emit('message', agent, message);
  }
  goes(agent: string): void {
    this.connected.delete(agent);
    this.emit('disconnected', agent);
  }
  comes(agent: string, passes: Held): void {
    this.connected.add(agent);
    this.emit('connected', agent, { passes });
  }
  /** What was sent since it was last looked at. */
  takeSent(): string[] {
    return this.sent.splice(0).map(({ agent, message }) => `${message.type} to ${agent}`);
  }
}

const passOf = (agent: string, userAgent: string, startOffsetMs = 0) => ({
  order: { ...makeOrder({ roundId: randomUUID(), url: 'http://origin.test/1' }), userAgent },
  agent,
  startOffsetMs,
});

let time: HeldTime;
let lines: PlayedLines;
let steps: StepChange[];
let stop: AbortController;
/** What the next start is ordered for. */
let startEpochMs: number;
beforeEach(() => {
  time = new HeldTime();
  lines = new PlayedLines();
  steps = [];
  stop = new AbortController();
  startEpochMs = 5_000;
});

const watch = (passes: ReturnType<typeof passOf>[], pageLimitsMs: number[] = []) =>
  new PassWatch(lines, {
    passes,
    pageLimitsMs,
    onStep: (change) => steps.push(change),
    nextStartEpochMs: () => startEpochMs,
    sleep: time.sleep,
  });

/** How the wait for a step has ended, as far as it has. */
function follow(watched: PassWatch, step: 'ready' | 'ended', timeoutMs = 300_000): { end: string | null } {
  const state: { end: string | null } = { end: null };
  void watched.untilAll(step, { timeoutMs, signal: stop.signal }).then(
    () => (state.end = 'all'),
    (error: unknown) => (state.end = (error as Error).message),
  );
  return state;
}

test('a Round goes its way: prepared, ready, started at one instant, ended', async () => {
  const passes = [passOf('laptop', 'alice'), passOf('desktop', 'bob')];
  const ids = passes.map(({ order }) => order.passId);
  using watched = watch(passes);
  expect(lines.takeSent()).toEqual(['prepare-pass to laptop', 'prepare-pass to desktop']);
  const ready = follow(watched, 'ready');
  lines.say('laptop', { type: 'pass-ready', passId: ids[0]! });
  await time.pass(100_000);
  expect(ready.end).toBeNull();
  lines.say('laptop', { type: 'pass-ready', passId: ids[1]! }); // not its own
  await time.pass(0);
  expect(ready.end).toBeNull();
  lines.say('desktop', { type: 'pass-ready', passId: ids[1]! });
  await time.pass(0);
  expect(ready.end).toBe('all');
  watched.start();
  const ended = follow(watched, 'ended');
  for (const [index, agent] of ['laptop', 'desktop'].entries()) {
    lines.say(agent, { type: 'pass-started', passId: ids[index]!, startedEpochMs: 5_000 });
    lines.say(agent, { type: 'pass-ended', passId: ids[index]! });
  }
  await time.pass(0);
  expect(ended.end).toBe('all');
  expect(steps.map(({ step }) => step)).toEqual(['ready', 'ready', 'running', 'ended', 'running', 'ended']);
});

test('Passes that are overdue break the Round by the name of their User Agents, and no earlier', async () => {
  const passes = [passOf('laptop', 'alice'), passOf('desktop', 'bob'), passOf('desktop', 'carol')];
  using watched = watch(passes);
  const ready = follow(watched, 'ready', 90_000);
  lines.say('laptop', { type: 'pass-ready', passId: passes[0]!.order.passId });
  await time.pass(89_999);
  expect(ready.end).toBeNull();
  await time.pass(1);
  expect(ready.end).toBe('Passes are not ready within 90 s: bob, carol');
});

test('the limit of a step that all have come to in time breaks nothing later', async () => {
  const pass = passOf('laptop', 'alice');
  using watched = watch([pass]);
  const ready = follow(watched, 'ready', 90_000);
  lines.say('laptop', { type: 'pass-ready', passId: pass.order.passId });
  await time.pass(0);
  expect([ready.end, time.sleeperCount]).toEqual(['all', 0]);
  const ended = follow(watched, 'ended');
  await time.pass(200_000);
  expect(ended.end).toBeNull();
});

test('a User Agent that is to begin later gets a later instant to start at, also after a break of its line', () => {
  const passes = [passOf('laptop', 'alice'), passOf('laptop', 'bob', 2500)];
  using watched = watch(passes);
  startEpochMs = 1000;
  watched.start();
  const startsOf = () =>
    lines.sent.splice(0).flatMap(({ message }) => (message.type === 'start-pass' ? [message.startEpochMs] : []));
  expect(startsOf()).toEqual([1000, 3500]);
  lines.comes(
    'laptop',
    passes.map(({ order }) => ({ passId: order.passId, state: 'ready' as const })),
  );
  expect(startsOf()).toEqual([1000, 3500]);
});

describe('an Agent that goes', () => {
  test('breaks the Round after half a minute, and no earlier', async () => {
    using watched = watch([passOf('laptop', 'alice')]);
    const ended = follow(watched, 'ended');
    await time.pass(100_000);
    lines.goes('laptop');
    await time.pass(29_999);
    expect(ended.end).toBeNull();
    await time.pass(1);
    expect(ended.end).toBe('Agent "laptop" was disconnected for 30 s');
  });

  test('and was away from the start is waited for as long', async () => {
    lines.connected.delete('desktop');
    using watched = watch([passOf('laptop', 'alice'), passOf('desktop', 'bob')]);
    const ready = follow(watched, 'ready');
    expect(lines.takeSent()).toEqual(['prepare-pass to laptop']);
    await time.pass(29_999);
    lines.comes('desktop', []);
    expect(lines.takeSent()).toEqual(['prepare-pass to desktop']);
    await time.pass(60_000);
    expect(ready.end).toBeNull();
  });

  test('and comes back within the grace, with two User Agents, loses neither', async () => {
    const passes = [passOf('laptop', 'alice'), passOf('laptop', 'bob')];
    lines.connected.delete('laptop');
    using watched = watch(passes);
    const ready = follow(watched, 'ready');
    await time.pass(3_000);
    lines.comes('laptop', []);
    await time.pass(60_000);
    for (const { order } of passes) lines.say('laptop', { type: 'pass-ready', passId: order.passId });
    await time.pass(0);
    expect(ready.end).toBe('all');
  });

  test('again and again has the whole grace each time', async () => {
    const pass = passOf('laptop', 'alice');
    using watched = watch([pass]);
    const ended = follow(watched, 'ended');
    for (let times = 1; times <= 5; times++) {
      lines.goes('laptop');
      await time.pass(29_000);
      lines.comes('laptop', [{ passId: pass.order.passId, state: 'running' }]);
      await time.pass(1_000);
    }
    expect(ended.end).toBeNull();
    expect(steps).toEqual([{ passId: pass.order.passId, step: 'running' }]);
  });

  test('after its Passes have ended is not missed', async () => {
    const passes = [passOf('laptop', 'alice'), passOf('desktop', 'bob')];
    using watched = watch(passes);
    const ended = follow(watched, 'ended');
    lines.say('laptop', { type: 'pass-ended', passId: passes[0]!.order.passId });
    lines.goes('laptop');
    await time.pass(200_000);
    expect(ended.end).toBeNull();
  });

  test.each([
    ['unknown after it was ready', [], 'Agent "laptop" was restarted'],
    ['lost', 'lost', 'Agent "laptop" lost the Pass while it was disconnected: see its log'],
  ] as const)('and comes back with its Pass %s breaks the Round at once', async (_, state, problem) => {
    const { order, ...pass } = passOf('laptop', 'alice');
    using watched = watch([{ order, ...pass }]);
    const ended = follow(watched, 'ended');
    lines.say('laptop', { type: 'pass-ready', passId: order.passId });
    lines.goes('laptop');
    await time.pass(1_000);
    lines.comes('laptop', state === 'lost' ? [{ passId: order.passId, state }] : []);
    await time.pass(0);
    expect(ended.end).toBe(problem);
    expect(steps.at(-1)).toMatchObject({ step: 'lost', problem });
  });

  test('and took steps meanwhile brings all of them', async () => {
    const { order, ...pass } = passOf('laptop', 'alice');
    using watched = watch([{ order, ...pass }]);
    const ended = follow(watched, 'ended');
    lines.goes('laptop');
    await time.pass(20_000);
    lines.comes('laptop', [{ passId: order.passId, state: 'ended' }]);
    await time.pass(0);
    expect(ended.end).toBe('all');
  });
});

describe('User Agents in step', () => {
  const inStep = (agent: string, userAgent: string) => {
    const { order, ...pass } = passOf(agent, userAgent);
    return { ...pass, order: { ...order, isInStep: true } };
  };
  const alice = inStep('laptop', 'alice');
  const bob = inStep('desktop', 'bob');
  const readyFor = (sequence: number, { agent, order }: typeof alice) =>
    lines.say(agent, { type: 'visit-ready', passId: order.passId, sequence });
  /** Agent, Visit and instant of the starts since they were last looked at. */
  const takeStarts = () =>
    lines.sent
      .splice(0)
      .flatMap(({ agent, message }) =>
        message.type === 'start-visit' ? [[agent, message.sequence, message.startEpochMs]] : [],
      );
  const begin = (pageLimitsMs?: number[]) => {
    const watched = watch([alice, bob], pageLimitsMs);
    watched.start();
    startEpochMs = 9_000;
    return watched;
  };

  test('begin each page at one instant, when the last is ready for it', () => {
    using _ = begin();
    readyFor(1, alice);
    expect(takeStarts()).toEqual([]);
    readyFor(1, bob);
    expect(takeStarts()).toEqual([
      ['laptop', 1, 9_000],
      ['desktop', 1, 9_000],
    ]);
    // Another Agent cannot speak for it.
    lines.say('desktop', { type: 'visit-ready', passId: alice.order.passId, sequence: 2 });
    readyFor(2, bob);
    expect(takeStarts()).toEqual([]);
  });

  test('do not wait for one whose Pass has ended', () => {
    using _ = begin();
    readyFor(1, alice);
    lines.say('desktop', { type: 'pass-ended', passId: bob.order.passId });
    expect(takeStarts()).toEqual([['laptop', 1, 9_000]]);
  });

  test('keep their step over a break of the line: what was said and what was ordered meanwhile is not lost', () => {
    using _ = begin();
    const back = (sequence?: number) =>
      lines.comes('laptop', [
        {
          passId: alice.order.passId,
          state: 'running',
          ...(sequence !== undefined && { readyFor: sequence }),
        },
      ]);
    readyFor(1, bob);
    lines.goes('laptop');
    back(1);
    expect(takeStarts()).toEqual([
      ['desktop', 1, 9_000],
      ['laptop', 1, 9_000],
    ]);
    startEpochMs = 20_000;
    lines.goes('laptop');
    back(1); // it has not heard of the start
    expect(takeStarts()).toEqual([['laptop', 1, 9_000]]);
    lines.goes('laptop');
    back(); // it loads
    expect(takeStarts()).toEqual([]);
  });

  test('that do not end a page in its time break the Round by their names, and no earlier', async () => {
    using watched = begin([40_000, 50_000, 60_000]);
    const ended = follow(watched, 'ended');
    readyFor(1, alice);
    await time.pass(69_999);
    readyFor(1, bob);
    // The next page has a time of its own.
    readyFor(2, bob);
    await time.pass(79_999);
    expect(ended.end).toBeNull();
    await time.pass(1);
    expect(ended.end).toBe('User Agents are not past page 2 of their Passes within 80 s: alice');
  });

  test('wait no longer when the Run is stopped', async () => {
    const watched = begin([40_000, 50_000]);
    const ended = follow(watched, 'ended');
    readyFor(1, alice);
    stop.abort(new Error('The evaluator stopped the Run'));
    await time.pass(0);
    expect(ended.end).toBe('The evaluator stopped the Run');
    lines.takeSent();
    watched[Symbol.dispose]();
    await time.pass(0);
    expect(lines.takeSent()).toEqual(['cancel-pass to laptop', 'cancel-pass to desktop']);
    expect(time.sleeperCount).toBe(0);
  });
});

test('a Round that is over leaves no timer, and has its Agents forget it', async () => {
  const passes = [passOf('laptop', 'alice'), passOf('desktop', 'bob')];
  const watched = watch(passes);
  const ready = follow(watched, 'ready');
  lines.goes('desktop');
  stop.abort(new Error('The evaluator stopped the Run'));
  await time.pass(0);
  expect(ready.end).toBe('The evaluator stopped the Run');
  lines.takeSent();
  watched[Symbol.dispose]();
  expect(lines.takeSent()).toEqual(['cancel-pass to laptop']);
  await time.pass(0);
  expect([time.sleeperCount, lines.listenerCount('message'), lines.listenerCount('disconnected')]).toEqual([0, 0, 0]);
});
