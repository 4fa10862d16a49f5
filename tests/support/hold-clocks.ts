import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { readHostFacts } from '#agent/host/read-host-facts.ts';
import { ControllerLink } from '#agent/controller-link.ts';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { ControllerClock } from '#core/clock/controller-clock.ts';
import { protocolVersion, type AgentMessage } from '#core/protocol/agent-messages.ts';

export interface HeldClocks extends AsyncDisposable {
  clocks: ControllerClock[];
  /** How often the Controller was asked for its time, by all. */
  readonly requests: number;
}

/**
 * The clocks of so many Agents, each on its own line to one real hub, in this process. Both ends have one clock, so that the true offset is 0 and what a clock says is its
 * error. Resolves when every clock is known.
 */
export async function holdClocks(count: number): Promise<HeldClocks> {
  await using stack = new AsyncDisposableStack();
  const log = pino({ level: 'silent' });
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => void server.close());
  const hub = new AgentHub({
    controllerVersion: '0',
    verifyToken: () => Promise.resolve('1'),
    recordAgent: () => Promise.resolve(1),
    log,
  });
  hub.attach(server);
  stack.defer(() => hub.close());
  const ending = new AbortController();
  stack.defer(() => ending.abort());
  const controllerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const facts = readHostFacts({
    engines: [],
    scriptsAllowed: false,
    anyPreferenceAllowed: false,
    origin: null,
    testbed: null,
  });
  let requests = 0;
  const clocks = Array.from({ length: count }, (_, index) => {
    const hello = (): AgentMessage => ({
      type: 'hello',
      protocolVersion,
      agentVersion: '0',
      name: `agent ${index}`,
      facts,
      passes: [],
    });
    const link = new ControllerLink({
      controllerUrls: [controllerUrl],
      token: 'right',
      hello,
      log,
      signal: ending.signal,
    });
    const clock = new ControllerClock({
      epochClock,
      resolutionMs: 0,
      sleep: (durationMs, signal) => sleep(durationMs, undefined, { signal, ref: false }),
      random: Math.random,
      mustRest: () => false,
      request: (agentEpochMs) => {
        requests++;
        link.send({ type: 'clock-request', agentEpochMs });
      },
    });
    link.on('connected', () => clock.handleConnect());
    link.on('disconnected', () => clock.handleDisconnect());
    link.on('message', (message) => {
      if (message.type === 'clock-reply') clock.handleReply(message);
    });
    void link.run();
    return clock;
  });
  await Promise.all(clocks.map((clock) => clock.improve(ending.signal)));
  const owned = stack.move();
  return {
    clocks,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
