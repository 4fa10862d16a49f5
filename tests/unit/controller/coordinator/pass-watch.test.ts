import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PassWatch } from '#controller/coordinator/pass-watch.ts';
import { AgentHub } from '#controller/hub/agent-hub.ts';
import { protocolVersion, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { makeOrder } from '../../agent/hold-agent.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hello: Extract<AgentMessage, { type: 'hello' }> = {
  type: 'hello',
  protocolVersion,
  agentVersion: '1',
  name: 'laptop',
  passes: [],
  facts: hostFacts,
};

function openHub(): AgentHub {
  return new AgentHub({
    controllerVersion: '1',
    verifyToken: () => Promise.resolve(null),
    recordAgent: () => Promise.resolve(1),
    log: pino({ level: 'silent' }),
  });
}

test('a User Agent that is to begin later gets a later instant to start at, also after a break of its line', () => {
  const hub = openHub();
  const send = vi.spyOn(hub, 'send');
  const roundId = randomUUID();
  const passes = [0, 2500].map((startOffsetMs) => ({
    order: makeOrder({ roundId, url: 'http://origin.test/1' }),
    agent: 'laptop',
    startOffsetMs,
  }));
  using watch = new PassWatch(hub, { passes, onStep: () => undefined });
  watch.start(1000);
  const startsOf = () =>
    send.mock.calls.flatMap(([, message]) => (message.type === 'start-pass' ? [message.startEpochMs] : []));
  expect(startsOf()).toEqual([1000, 3500]);
  send.mockClear();
  hub.emit('connected', 'laptop', {
    ...hello,
    passes: passes.map(({ order }) => ({ passId: order.passId, state: 'ready' as const })),
  });
  expect(startsOf()).toEqual([1000, 3500]);
});

test('an Agent with two User Agents that is back within the grace loses neither', async () => {
  const hub = openHub();
  const roundId = randomUUID();
  const passes = ['http://origin.test/1', 'http://origin.test/2'].map((url) => ({
    order: makeOrder({ roundId, url }),
    agent: 'laptop',
    startOffsetMs: 0,
  }));
  using watch = new PassWatch(hub, { passes, onStep: () => undefined });
  const ready = watch.untilAll('ready', { timeoutMs: 300_000, signal: new AbortController().signal });

  await vi.advanceTimersByTimeAsync(3_000);
  hub.emit('connected', 'laptop', hello);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const { order } of passes) hub.emit('message', 'laptop', { type: 'pass-ready', passId: order.passId });
  await expect(ready).resolves.toBeUndefined();
});
