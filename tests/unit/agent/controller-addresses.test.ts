import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ControllerLink } from '#agent/controller-link.ts';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { protocolVersion } from '#core/protocol/agent-messages.ts';
import { HeldTime } from '../../support/held-time.ts';
import { hostFacts } from '../../support/sample-host-facts.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';

const log = pino({ level: 'silent' });

/** A hub of its own on a port, as of one Controller. */
async function openHub(stack: AsyncDisposableStack): Promise<{ hub: AgentHub; server: Server; port: number }> {
  const hub = new AgentHub({
    controllerVersion: '0',
    verifyToken: () => Promise.resolve('1'),
    recordAgent: () => Promise.resolve(1),
    pingEveryMs: 100,
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
    const time = new HeldTime();
    const urls = [relay.port, other.port].map((port) => `http://127.0.0.1:${port}`);
    const link = new ControllerLink({
      controllerUrls: urls,
      token: 'right',
      hello: () => ({ type: 'hello', protocolVersion, agentVersion: '0', name: 'a', facts: hostFacts, passes: [] }),
      sleep: time.sleep,
      log,
      signal: ending.signal,
    });
    const over = link.run();
    stack.defer(async () => {
      ending.abort();
      await over;
    });
    const passUntilConnected = async (hub: AgentHub) => {
      let isConnected = false;
      hub.once('connected', () => (isConnected = true));
      const look = async () => {
        await time.pass(250);
        return isConnected;
      };
      await expect.poll(look, { interval: 20 }).toBe(true);
    };
    await once(preferred.hub, 'connected');
    expect(link.controllerUrl).toBe(urls[0]);

    let isNeeded = true;
    other.hub.keepWhile(() => isNeeded);
    relay.halt();
    await time.pass(14_900);
    expect(link.controllerUrl).toBe(urls[0]);
    await passUntilConnected(other.hub);
    expect(link.controllerUrl).toBe(urls[1]);

    relay.resume();
    const pong = () => new Promise((resolve) => other.hub.once('message', (_, { type }) => resolve(type)));
    expect(await pong()).toBe('pong');
    expect(link.controllerUrl).toBe(urls[1]);
    isNeeded = false;
    await passUntilConnected(preferred.hub);
    expect(link.controllerUrl).toBe(urls[0]);

    // A line that breaks is tried there first, and a Controller that is gone costs no time.
    preferred.hub.breakLine('a');
    await passUntilConnected(preferred.hub);
    relay.moveTo(1);
    await passUntilConnected(other.hub);
  },
);
