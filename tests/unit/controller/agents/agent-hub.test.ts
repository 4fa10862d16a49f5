import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ControllerLink } from '#agent/controller-link.ts';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { ControllerLink as ExtensionLink } from '#extension/background/extension-link.ts';
import { openClock } from '#tests/support/answering-clock.ts';
import { settle } from '#tests/support/held-time.ts';
import { holdClocks } from '#tests/support/hold-clocks.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';

const log = pino({ level: 'silent' });
type Hello = Extract<AgentMessage, { type: 'hello' }>;
const hello: Hello = {
  type: 'hello',
  protocolVersion,
  agentVersion: '1.2.3',
  name: 'laptop',
  passes: [],
  facts: {
    hostname: 'h',
    machineId: null,
    platform: 'linux',
    architecture: 'x64',
    release: '6',
    cpuCount: 2,
    memoryBytes: 1,
    nodeVersion: 'v24',
    interfaces: [],
    engines: [],
    scriptsAllowed: false,
    anyPreferenceAllowed: false,
    origin: null,
    testbed: null,
  },
};

let server: Server;
let hub: AgentHub;
let url: string;
let ending: AbortController;

beforeEach(async () => {
  ending = new AbortController();
  server = createServer();
  hub = newHub();
  hub.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  ending.abort();
  hub.close();
  server.close();
  await once(server, 'close');
});

function newHub(change: Partial<ConstructorParameters<typeof AgentHub>[0]> = {}): AgentHub {
  return new AgentHub({
    controllerVersion: '1.2.3',
    verifyToken: ({ token }) => Promise.resolve(token === 'right' ? '1' : null),
    recordAgent: () => Promise.resolve(1),
    log,
    ...change,
  });
}

function newLink({ token = 'right', ...change }: Partial<Hello> & { token?: string } = {}): {
  link: ControllerLink;
  over: Promise<void>;
} {
  const link = new ControllerLink({
    controllerUrls: [url],
    token,
    hello: () => ({ ...hello, ...change }),
    log,
    signal: ending.signal,
  });
  const over = link.run();
  over.catch(() => undefined); // looked at by the tests that expect it
  return { link, over };
}

/** Runs where there is a WebSocket, so also in Node. */
function newExtensionLink(): ExtensionLink {
  const link = new ExtensionLink({
    controllerUrl: url,
    token: 'right',
    hello: () => Promise.resolve(hello),
    onMessage: () => undefined,
    onDown: () => undefined,
  });
  ending.signal.addEventListener('abort', () => link.close());
  return link;
}

describe('the line between Agent and Controller', () => {
  it('admits an Agent that says the right hello', async () => {
    const { link } = newLink();
    expect(await once(hub, 'connected')).toEqual(['laptop', hello]);
    expect(hub.isConnected('laptop')).toBe(true);
    expect(await once(link, 'message')).toEqual([{ type: 'welcome', controllerVersion: '1.2.3' }]);
  });

  it('refuses what is no Agent, for any request and however it leaves', async () => {
    const { hostname, port } = new URL(url);
    for (const target of ['//', '/x', '*']) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: controller\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1.1 4/);
      socket.resetAndDestroy();
    }
    newLink();
    await once(hub, 'connected');
  });

  it('refuses a wrong token for good', async () => {
    await expect(newLink({ token: 'wrong' }).over).rejects.toMatchObject({
      code: 'token-refused',
      message: expect.stringContaining('create a new one') as string,
    });
  });

  it('ends the line of an Agent whose token is revoked, and of no other', async () => {
    const { over } = newLink();
    await once(hub, 'connected');
    hub.dropToken('2');
    expect(hub.isConnected('laptop')).toBe(true);
    hub.dropToken('1');
    await expect(over).rejects.toMatchObject({
      code: 'token-refused',
      message: expect.stringContaining('was revoked') as string,
    });
  });

  it('hears nothing more of an Agent that was refused, and knows none that left, or whose token was revoked, while it was admitted', async () => {
    const { over } = newLink();
    await once(hub, 'connected');
    const heard: AgentMessage[] = [];
    hub.on('message', (_, message) => heard.push(message));
    const peer = new WebSocket(`${url.replace('http', 'ws')}/agent`, offerToken('right'));
    await once(peer, 'open');
    peer.send(JSON.stringify({ ...hello, name: 'phone' }));
    await once(hub, 'connected');
    hub.dropToken('1');
    peer.send(JSON.stringify({ type: 'pass-ready', passId: '00000000-0000-4000-8000-000000000001' }));
    await once(peer, 'close');
    await expect(over).rejects.toMatchObject({ code: 'token-refused' });
    expect(heard).toEqual([]);

    let recording = Promise.withResolvers<number>();
    let asked = Promise.withResolvers<void>();
    const slow = newHub({ recordAgent: () => (asked.resolve(), recording.promise) });
    const slowServer = createServer();
    slow.attach(slowServer);
    await once(slowServer.listen(0, '127.0.0.1'), 'listening');
    const coming = once(slowServer, 'connection') as Promise<[Socket]>;
    const hasty = new WebSocket(
      `ws://127.0.0.1:${(slowServer.address() as AddressInfo).port}/agent`,
      offerToken('right'),
    );
    await once(hasty, 'open');
    hasty.send(JSON.stringify(hello));
    await asked.promise;
    const left = once((await coming)[0], 'close');
    hasty.terminate();
    await left;
    recording.resolve(1);
    await settle();
    expect(slow.isConnected('laptop')).toBe(false);

    recording = Promise.withResolvers();
    asked = Promise.withResolvers();
    const revoked = new WebSocket(hasty.url, offerToken('right'));
    await once(revoked, 'open');
    revoked.send(JSON.stringify(hello));
    await asked.promise;
    const answer = once(revoked, 'message');
    slow.dropToken('1');
    recording.resolve(1);
    expect(JSON.parse(String((await answer)[0]))).toMatchObject({ type: 'refused', code: 'token-refused' });
    expect(slow.isConnected('laptop')).toBe(false);
    slow.close();
    slowServer.close();
  });

  it('refuses another protocol version and names both', async () => {
    await expect(newLink({ protocolVersion: 99, agentVersion: '9.9.9' }).over).rejects.toMatchObject({
      code: 'protocol-mismatch',
      message: `This Controller (1.2.3) has protocol ${protocolVersion}, the Agent (9.9.9) has 99: install the same version of HTTP-AE on both`,
    });
  });

  it('lets the newer of two Agents of one name stay, and sends the older the reason', async () => {
    const first = newLink();
    await once(hub, 'connected');
    newLink();
    await expect(first.over).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('give each Agent its own name') as string,
    });
    expect(hub.isConnected('laptop')).toBe(true);
  });

  it('comes back by itself when the Controller was away', async () => {
    const { link } = newLink();
    await once(hub, 'connected');
    const gone = once(link, 'disconnected');
    hub.close();
    await gone;
    server.removeAllListeners('upgrade');
    hub = newHub();
    hub.attach(server);
    expect((await once(hub, 'connected'))[0]).toBe('laptop');
  });

  it.each(['the stand-alone Agent', 'the extension'])(
    'brings the steps that Passes took after the hello, when it is admitted: %s',
    async (agent) => {
      const passId = '00000000-0000-4000-8000-000000000001';
      const recording = Promise.withResolvers<number>();
      let isAsked = false;
      server.removeAllListeners('upgrade');
      hub = newHub({ recordAgent: () => ((isAsked = true), recording.promise) });
      hub.attach(server);
      const heard: AgentMessage[] = [];
      hub.on('message', (_, message) => heard.push(message));
      const link =
        agent === 'the extension' ? newExtensionLink() : newLink({ passes: [{ passId, state: 'running' }] }).link;
      await expect.poll(() => isAsked).toBe(true);
      link.send({ type: 'pass-ended', passId });
      recording.resolve(1);
      await expect.poll(() => heard).toEqual([{ type: 'pass-ended', passId }]);
    },
  );

  it('reads the offset of the Controller’s clock within its own error', async () => {
    const { link } = newLink();
    await once(link, 'connected');
    const clock = openClock({ request: (agentEpochMs) => link.send({ type: 'clock-request', agentEpochMs }) });
    link.on('message', (message: ControllerMessage) => {
      if (message.type === 'clock-reply') clock.handleReply(message);
    });
    clock.handleConnect();
    const { offsetMs, errorMs } = await clock.improve(new AbortController().signal);
    clock.handleDisconnect();
    // Both ends are one machine here, so the true offset is what their process clocks differ by: none.
    expect(Math.abs(offsetMs)).toBeLessThanOrEqual(errorMs + 0.01);
  });

  it('lets a hundred Agents that prepare a Pass at once know its clock within their own errors', async () => {
    await using held = await holdClocks(100);
    // Both ends are one process: the true offset is 0.
    const known = await Promise.all(held.clocks.map((clock) => clock.improve(new AbortController().signal)));
    expect(known.filter(({ offsetMs, errorMs }) => Math.abs(offsetMs) > errorMs + 0.01)).toEqual([]);
    const before = held.requests;
    await Promise.all(
      held.clocks
        .filter(({ offset }) => offset.errorMs < 0.4)
        .map((clock) => clock.improve(new AbortController().signal)),
    );
    expect(held.requests).toBe(before);
  });

  it('handles what came behind a large message after it, and a bomb ends the line of its Agent alone', async () => {
    server.removeAllListeners('upgrade');
    hub = newHub({ reading: { mostHeapMegabytes: 24 } });
    hub.attach(server);
    const { link } = newLink();
    await once(hub, 'connected');
    const peer = new WebSocket(`${url.replace('http', 'ws')}/agent`, offerToken('right'));
    await once(peer, 'open');
    peer.send(JSON.stringify({ ...hello, name: 'phone' }));
    await once(hub, 'connected');

    const heard: AgentMessage[] = [];
    hub.on('message', (name, message) => name === 'phone' && message.type !== 'pong' && heard.push(message));
    const passId = '00000000-0000-4000-8000-000000000001';
    const absent = { type: 'capture', capture: { captureId: passId, outcome: { kind: 'absent', reason: '' } } };
    peer.send(JSON.stringify({ ...absent, x: 'x'.repeat(2 ** 21) }));
    for (const type of ['pass-ready', 'pass-ended']) peer.send(JSON.stringify({ type, passId }));
    await expect.poll(() => heard.length).toBe(3);
    expect(heard).toEqual([absent, { type: 'pass-ready', passId }, { type: 'pass-ended', passId }]);

    const refused = new Promise((resolve) => {
      peer.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as ControllerMessage;
        if (message.type === 'refused') resolve(message.message);
      });
    });
    peer.send(`{"type":"capture","capture":[${'{},'.repeat(1_500_000)}{}]}`);
    expect(await refused).toContain('The process that read it ended');
    const steady = new Promise<AgentMessage>((resolve) => {
      hub.on('message', (name, message) => name === 'laptop' && message.type !== 'pong' && resolve(message));
    });
    link.send({ type: 'pass-ready', passId });
    expect(await steady).toEqual({ type: 'pass-ready', passId });
    expect(hub.isConnected('laptop')).toBe(true);
  });

  it.each([
    ['no JSON', 'hello?'],
    ['an unknown message', JSON.stringify({ type: 'surprise' })],
    ['a word before hello', JSON.stringify({ type: 'pong' })],
  ])('refuses %s with the reason, and closes', async (_, text) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/agent`, offerToken('right'));
    await once(socket, 'open');
    const answer = once(socket, 'message');
    const closed = once(socket, 'close');
    socket.send(text);
    expect(JSON.parse(String((await answer)[0]))).toMatchObject({ type: 'refused', code: 'invalid-input' });
    await closed;
  });

  it('upgrades no other path', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/elsewhere`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('404');
  });
});
