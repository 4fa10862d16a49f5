import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { SilenceWatch } from '#agent/link/silence-watch.ts';
import { ControllerLink } from '#agent/link/controller-link.ts';
import { AgentHub } from '#controller/hub/agent-hub.ts';
import { protocolVersion } from '#core/protocol/agent-messages.ts';
import { hostFacts } from '../../support/sample-host-facts.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';

const log = pino({ level: 'silent' });

/** A hub of its own on a port, as of one Controller. */
async function openHub(stack: AsyncDisposableStack): Promise<{ hub: AgentHub; server: Server; port: number }> {
  const hub = new AgentHub({
    controllerVersion: '0',
    verifyToken: () => Promise.resolve('1'),
    recordAgent: () => Promise.resolve(1),
    pingEveryMs: 300,
    log,
  });
  const server = createServer((_request, response) => response.end('{}'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  hub.attach(server);
  stack.defer(async () => {
    hub.close();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return { hub, server, port: (server.address() as AddressInfo).port };
}

test(
  'an Agent leaves a Controller that falls silent for the next one, and returns when it answers again and no Run needs it',
  { timeout: 60_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const [preferred, other] = [await openHub(stack), await openHub(stack)];
    const relay = stack.use(await startTcpRelay(preferred.port));
    const ending = new AbortController();
    const urls = [relay.port, other.port].map((port) => `http://127.0.0.1:${port}`);
    const link = new ControllerLink({
      controllerUrls: urls,
      token: 'right',
      hello: () => ({ type: 'hello', protocolVersion, agentVersion: '0', name: 'a', facts: hostFacts, passes: [] }),
      silenceMs: 2000,
      log,
      signal: ending.signal,
    });
    const over = link.run();
    stack.defer(async () => {
      ending.abort();
      await over;
    });
    await once(preferred.hub, 'connected');
    expect(link.controllerUrl).toBe(urls[0]);

    let isNeeded = true;
    other.hub.isNeeded = () => isNeeded;
    relay.halt();
    await once(other.hub, 'connected');
    expect(link.controllerUrl).toBe(urls[1]);

    relay.resume();
    const pong = () => new Promise((resolve) => other.hub.once('message', (_, { type }) => resolve(type)));
    expect(await pong()).toBe('pong');
    expect(link.controllerUrl).toBe(urls[1]);
    isNeeded = false;
    await once(preferred.hub, 'connected');
    expect(link.controllerUrl).toBe(urls[0]);

    // A line that breaks is tried there first, and a Controller that is gone costs no time.
    preferred.hub.breakLine('a');
    await once(preferred.hub, 'connected');
    relay.moveTo(1);
    await once(other.hub, 'connected');
  },
);

test('a process that stood still itself does not take the other end for dead', async () => {
  let isSilent = false;
  using watch = new SilenceWatch(1500, () => (isSilent = true));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isSilent).toBe(false);
  watch.hear();
  await expect.poll(() => isSilent, { timeout: 10_000 }).toBe(true);
});
