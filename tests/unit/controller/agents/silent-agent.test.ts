import { EventEmitter, once } from 'node:events';
import { duplexPair } from 'node:stream';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { BadTokens } from '#controller/people/limit-attempts.ts';
import { acceptCaptures } from '#controller/ingest/accept-captures.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';
import { HeldTime } from '../../../support/held-time.ts';
import { hostFacts } from '../../../support/sample-host-facts.ts';

// The line is real, and the time of the hub is held: what the hub sent before the line broke arrives before the break.

let time: HeldTime;
let server: Server;
let hub: AgentHub;
let badTokens: BadTokens;
let logged: string[];
let logs: EventEmitter;
beforeEach(async () => {
  time = new HeldTime();
  logged = [];
  logs = new EventEmitter();
  const note = (line: string) => {
    logged.push((JSON.parse(line) as { msg: string }).msg);
    logs.emit('line');
  };
  hub = new AgentHub({
    controllerVersion: '0',
    verifyToken: ({ token }) => Promise.resolve(token === 'right' ? '1' : null),
    recordAgent: () => Promise.resolve(1),
    badTokens: (badTokens = new BadTokens(time)),
    time,
    log: pino({ level: 'warn' }, { write: note }),
  });
  server = createServer();
  hub.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  hub.close();
  server.close();
  await once(server, 'close');
});

interface Line {
  socket: WebSocket;
  say: (message: AgentMessage) => void;
  /** Resolves when so many messages of this type have come in all. */
  hear: (type: ControllerMessage['type'], count?: number) => Promise<void>;
}

async function connect(token = 'right'): Promise<Line> {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/agent`, offerToken(token));
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => heard.push((JSON.parse(data.toString()) as ControllerMessage).type));
  await once(socket, 'open');
  return {
    socket,
    say: (message) => socket.send(JSON.stringify(message)),
    hear: async (type, count = 1) => {
      while (heard.filter((each) => each === type).length < count) await once(socket, 'message');
    },
  };
}

async function join(): Promise<Line> {
  const line = await connect();
  const connected = once(hub, 'connected');
  line.say({ type: 'hello', protocolVersion, agentVersion: '0', name: 'laptop', facts: hostFacts, passes: [] });
  await connected;
  return line;
}

/** Five seconds, after which the Agent answers the ping. */
async function passAndAnswer(line: Line, pings: number): Promise<void> {
  await time.pass(5_000);
  await line.hear('ping', pings);
  const answered = once(hub, 'message');
  line.say({ type: 'pong' });
  await answered;
}

test('who connects and says nothing has ten seconds', async () => {
  const { socket, hear } = await connect();
  const closed = once(socket, 'close');
  await time.pass(9_999);
  await hear('ping'); // that of the fifth second: the line was whole then
  expect(socket.readyState).toBe(WebSocket.OPEN);
  await time.pass(1);
  await closed;
});

test('who was refused and does not take the reason has two seconds', async () => {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const { socket, say } = await connect();
  const [line] = await accepted;
  socket.pause();
  const refused = once(logs, 'line');
  say({ type: 'pong' });
  await refused;
  await time.pass(1_999);
  expect(line.destroyed).toBe(false);
  await time.pass(1);
  expect(line.destroyed).toBe(true);
});

test('after two hundred bad tokens of an address, a line with another one hears that a second later, and a valid one is admitted at once', async () => {
  for (let count = 0; count < 200; count++)
    expect(await badTokens.slowDown({ address: '127.0.0.1', token: `${count} guess` })).toBe(false);
  await connect('wrong');
  await time.pass(999);
  expect(logged).toEqual([]);
  await join();
  await time.pass(1);
  expect(logged).toEqual([expect.stringContaining('The token is unknown') as string]);
});

test('an Agent that answers stays, however long', async () => {
  const line = await join();
  for (let pings = 1; pings <= 60; pings++) await passAndAnswer(line, pings);
  expect(hub.isConnected('laptop')).toBe(true);
});

test('an Agent that falls silent has its line broken after nine pings that it did not answer', async () => {
  const line = await join();
  await passAndAnswer(line, 1);
  const gone = once(hub, 'disconnected');
  await time.pass(45_000);
  await line.hear('ping', 10);
  expect(hub.isConnected('laptop')).toBe(true);
  await time.pass(5_000);
  await gone;
});

test('a Controller that stood still for a minute hears its Agents before it takes them for gone', async () => {
  const line = await join();
  await time.standStill(60_000);
  await passAndAnswer(line, 2);
  await time.pass(45_000);
  await line.hear('ping', 11);
  expect(hub.isConnected('laptop')).toBe(true);
});

test('an Agent that has its turn to upload and sends nothing is given up after a minute, although it answers', async () => {
  const line = await join();
  line.say({ type: 'visits-waiting' });
  await line.hear('upload-visits');
  for (let pings = 1; pings <= 11; pings++) await passAndAnswer(line, pings);
  expect(hub.isConnected('laptop')).toBe(true);
  const gone = once(hub, 'disconnected');
  await time.pass(5_000);
  await gone;
  expect(logged).toContain('Agent "laptop" sent no Visits for a minute in its turn to upload: it is disconnected');
  expect(hub.load).toEqual({ agents: 0, uploadsWaiting: 0, uploadsInWork: 0 });
});

/** A text message of a client, masked by zeros. RFC 6455, 5.2. */
function frameOf(message: AgentMessage): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  const length = Buffer.from([payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([0x81, 0x80 | 126]), length, Buffer.alloc(4), payload]);
}

test('who asks for the time again and again and reads no answer is disconnected, before the answers fill the memory', async () => {
  // A connection of no more than one piece: what is not read is not sent.
  const [near, far] = duplexPair({ highWaterMark: 1 });
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    'sec-websocket-version': '13',
    'sec-websocket-protocol': offerToken('right').join(', '),
  };
  server.emit('upgrade', { method: 'GET', url: '/agent', headers, socket: near }, near, Buffer.alloc(0));
  far.resume();
  const connected = once(hub, 'connected');
  far.write(
    frameOf({ type: 'hello', protocolVersion, agentVersion: '0', name: 'laptop', facts: hostFacts, passes: [] }),
  );
  await connected;
  far.pause();
  const ask = (times: number) => {
    for (let time = 0; time < times; time++) far.write(frameOf({ type: 'clock-request', agentEpochMs: 1 }));
  };
  const heard = once(hub, 'message');
  ask(90);
  far.write(frameOf({ type: 'pong' }));
  await heard;
  expect(hub.isConnected('laptop')).toBe(true);
  const gone = once(hub, 'disconnected');
  ask(90);
  await gone;
});

test('who sends Captures and waits for no answer is disconnected, before they fill the memory', async () => {
  const pool = { query: () => new Promise(() => undefined) } as unknown as Pool; // a database that says nothing
  const { signal } = new AbortController();
  acceptCaptures(hub, { pool, traces: null!, uploads: new EventEmitter(), log: pino({ level: 'silent' }), signal });
  const line = await join();
  const send = (captures: number) => {
    for (let count = 0; count < captures; count++)
      line.say({
        type: 'capture',
        capture: { captureId: '00000000-0000-4000-8000-000000000001', outcome: { kind: 'absent', reason: '' } },
      });
  };
  send(4);
  await passAndAnswer(line, 1);
  expect(hub.isConnected('laptop')).toBe(true);
  const gone = once(hub, 'disconnected');
  send(1);
  await gone;
});
