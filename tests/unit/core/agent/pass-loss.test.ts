import { expect, test } from 'vitest';
import { PassRunner } from '#core/agent/pass-runner.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { openClock } from '#tests/support/answering-clock.ts';

const load: HostLoad = { kind: 'absent', reason: 'not looked at' };
const full = new Error('the disk is full');

test.for<[string, () => Promise<HostLoad>, string]>([
  ['end', () => Promise.resolve(load), 'alice: the disk is full'],
  ['loss', () => Promise.reject(new Error('no browser')), 'alice: no browser'],
])('a Pass whose %s cannot be kept is lost, and the Controller hears that', async ([, make, problem]) => {
  const sent: AgentMessage[] = [];
  const logged: unknown[] = [];
  const runner = new PassRunner({ passId: 'a', userAgent: 'alice' } as PassOrder, {
    clock: openClock(),
    send: (message) => sent.push(message),
    make,
    keep: () => Promise.reject(full),
    takeTurns: () => Promise.resolve(),
    logLoss: (error) => logged.push(error),
  });
  await runner.run();
  expect([runner.state, sent]).toEqual(['lost', [{ type: 'pass-lost', passId: 'a', problem }]]);
  expect(logged).toContain(full);
});
