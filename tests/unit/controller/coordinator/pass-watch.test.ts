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

test('an Agent with two User Agents that is back within the grace loses neither', async () => {
  const hub = new AgentHub({
    controllerVersion: '1',
    verifyToken: () => Promise.resolve(null),
    recordAgent: () => Promise.resolve(),
    log: pino({ level: 'silent' }),
  });
  const roundId = randomUUID();
  const passes = ['http://origin.test/1', 'http://origin.test/2'].map((url) => ({
    order: makeOrder({ roundId, url }),
    agent: 'laptop',
  }));
  using watch = new PassWatch(hub, { passes, onStep: () => undefined });
  const ready = watch.untilAll('ready', { timeoutMs: 300_000, signal: new AbortController().signal });

  await vi.advanceTimersByTimeAsync(3_000);
  const hello: Extract<AgentMessage, { type: 'hello' }> = {
    type: 'hello',
    protocolVersion,
    agentVersion: '1',
    name: 'laptop',
    passes: [],
    facts: hostFacts,
  };
  hub.emit('connected', 'laptop', hello);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const { order } of passes) hub.emit('message', 'laptop', { type: 'pass-ready', passId: order.passId });
  await expect(ready).resolves.toBeUndefined();
});
