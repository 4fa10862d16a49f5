import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { ControllerLink } from '#agent/controller-link.ts';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { AgentsClock } from '#controller/agents/agents-clock.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { protocolVersion } from '#core/protocol/agent-messages.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';

const hourMs = 3_600_000;
const log = pino({ level: 'silent' });

afterEach(() => void vi.restoreAllMocks());

test('the clock of the Controller follows a system clock that was set, once nobody needs it as it is', () => {
  const clock = new AgentsClock();
  const lead = () => Math.round((clock.now() - epochClock()) / 1000) + 0; // no -0
  expect([clock.follow(() => false, 100), lead()]).toEqual([false, 0]);
  expect([clock.follow(() => true, hourMs), lead()]).toEqual([false, 0]);
  expect([clock.follow(() => false, hourMs), lead()]).toEqual([true, 3600]);
  expect([clock.follow(() => false, hourMs + 100), lead()]).toEqual([false, 3600]);
  expect([clock.follow(() => false, 0), lead()]).toEqual([true, 0]);
});

test('after the machine of the Controller was asleep, Agents read its clock again when no Run needs them', async () => {
  const hub = new AgentHub({
    controllerVersion: '1.2.3',
    verifyToken: () => Promise.resolve('1'),
    recordAgent: () => Promise.resolve(1),
    pingEveryMs: 20,
    log,
  });
  let isNeeded = true;
  hub.keepWhile(() => isNeeded);
  const server = createServer();
  hub.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ending = new AbortController();
  const link = new ControllerLink({
    controllerUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    token: 'right',
    hello: () => ({ type: 'hello', protocolVersion, agentVersion: '1', name: 'laptop', facts: hostFacts, passes: [] }),
    log,
    signal: ending.signal,
  });
  let pings = 0;
  const offsets: number[] = [];
  link.on('message', (message) => {
    if (message.type === 'ping') pings++;
    if (message.type === 'clock-reply') offsets.push(Math.round((message.receivedEpochMs - epochClock()) / hourMs) + 0);
  });
  let lines = 0;
  link.on('connected', () => {
    lines++;
    link.send({ type: 'clock-request', agentEpochMs: 0 });
  });
  const over = link.run();
  await expect.poll(() => offsets).toEqual([0]);

  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + hourMs);
  const before = pings;
  await expect.poll(() => pings).toBeGreaterThan(before + 2);
  expect(lines).toBe(1);
  isNeeded = false;
  await expect.poll(() => offsets).toEqual([0, 1]);
  expect(lines).toBe(2);
  ending.abort();
  await over;
  hub.close();
  server.close();
  await once(server, 'close');
});
