import { once } from 'node:events';
import { createServer } from 'node:http';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { issueToken } from '#controller/people/tokens.ts';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { protocolVersion, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { offerToken, agentEndpoint } from '#core/protocol/line-credentials.ts';
import { startTestController } from '#tests/support/controller.ts';
import { laptopFacts } from '#tests/support/join-agent.ts';
import { joinScripted } from './support/scripted-agent.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** The machine may be busy. */
const within = { timeout: 20_000 };

const it = holdForAll(() => startTestController());

const tokenFor = async (name: string) =>
  (await issueToken(it.controller.pool, { name, scope: 'agent', agentName: name })).token;
const endpoint = () => agentEndpoint(it.controller.url);

function outcomeOf(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('error', (error) => resolve(error.message));
  });
}

async function tryToJoin(name: string): Promise<string> {
  const socket = new WebSocket(endpoint(), offerToken(await tokenFor(name)));
  const outcome = await outcomeOf(socket);
  socket.terminate();
  return outcome;
}

test('who brings no token, or a wrong one, hears why and is read no further, however much it sends', async () => {
  const token = await tokenFor('someone');
  const hello = JSON.stringify({
    type: 'hello',
    protocolVersion: 5,
    agentVersion: '0',
    token,
    name: 'someone',
    facts: laptopFacts,
    passes: [],
  });
  const flood = `[${'{},'.repeat(20_000_000)}{}]`;
  for (const [offered, code, said] of [
    [[], 'protocol-mismatch', hello],
    [offerToken('hae_wrong'), 'token-refused', hello],
    [[], 'protocol-mismatch', flood],
    [offerToken(token), null, flood],
  ] as const) {
    const socket = new WebSocket(endpoint(), [...offered]);
    const closed = once(socket, 'close');
    socket.on('error', () => undefined); // it is cut off while it sends
    const answers: ControllerMessage[] = [];
    socket.on('message', (data: Buffer) => answers.push(JSON.parse(data.toString()) as ControllerMessage));
    await once(socket, 'open');
    socket.send(said);
    const health = await it.anonymous('/api/health');
    expect(health.status).toBe(200);
    await closed;
    expect(answers).toMatchObject(code === null ? [] : [{ type: 'refused', code }]);
  }
});

test('a web page is no Agent, and an extension may be', async () => {
  const token = await tokenFor('extension');
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1', 'https://chrome-extension.example']) {
    const [error] = (await once(new WebSocket(endpoint(), offerToken(token), { origin }), 'error')) as [Error];
    expect(error.message, origin).toContain('403');
  }
  for (const origin of [
    'chrome-extension://abcdefghijklmnop',
    'moz-extension://8b1c2f0e-0000-4000-8000-000000000000',
  ]) {
    const socket = new WebSocket(endpoint(), offerToken(token), { origin });
    await once(socket, 'open');
    expect(socket.protocol).toBe('http-ae-agent');
    socket.terminate();
  }
});

test('lines that are not admitted are limited, their log too, and Agents that are there stay', async () => {
  await using agent = await joinScripted(it, 'there before');
  const token = await tokenFor('silent');
  // Each has a valid token and says nothing.
  const lines = Array.from({ length: 100 }, () => new WebSocket(endpoint(), offerToken(token)));
  const outcomes = await Promise.all(lines.map((line) => outcomeOf(line)));
  expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(64);
  expect(outcomes.filter((outcome) => outcome.includes('503'))).toHaveLength(36);
  agent.say({ type: 'clock-request', agentEpochMs: 1 });
  await agent.next('clock-reply');
  await Promise.all(
    lines
      .filter(({ readyState }) => readyState === WebSocket.OPEN)
      .map(async (line) => {
        line.terminate();
        await once(line, 'close');
      }),
  );
  // The Controller hears of their end a little later.
  await expect.poll(() => tryToJoin('comes after'), within).toBe('open');
});

test('an Agent that a busy Controller pings before it is admitted is admitted all the same', async () => {
  const stored = Promise.withResolvers<number>();
  const server = createServer();
  const hub = new AgentHub({
    controllerVersion: '1',
    verifyToken: () => Promise.resolve('1'),
    recordAgent: () => stored.promise,
    pingEveryMs: 10,
    log: pino({ level: 'silent' }),
  });
  hub.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on no port');
  const line = new WebSocket(`ws://127.0.0.1:${address.port}/agent`, offerToken('known'));
  await once(line, 'open');
  const heard: string[] = [];
  const isDecided = Promise.withResolvers<void>();
  line.on('message', (data: Buffer) => {
    const { type } = JSON.parse(data.toString()) as ControllerMessage;
    heard.push(type);
    if (type === 'ping') line.send(JSON.stringify({ type: 'pong' }));
    if (heard.filter((each) => each === 'ping').length === 3) stored.resolve(1);
    if (type === 'welcome' || type === 'refused') isDecided.resolve();
  });
  const hello = { protocolVersion, agentVersion: '1', name: 'laptop', facts: laptopFacts, passes: [] };
  line.send(JSON.stringify({ type: 'hello', ...hello }));
  await isDecided.promise;
  hub.close();
  server.close();
  expect(heard).toContain('welcome');
});

test('a minute has at most twenty lines of log about refused lines, and their number', async () => {
  const lines: string[] = [];
  const server = createServer();
  const hub = new AgentHub({
    controllerVersion: '1',
    verifyToken: () => Promise.resolve(null),
    recordAgent: () => Promise.resolve(1),
    log: pino({}, { write: (line) => void lines.push(line) }),
  });
  hub.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on no port');
  for (let index = 0; index < 50; index++)
    await once(new WebSocket(`ws://127.0.0.1:${address.port}/agent`, offerToken('wrong')), 'close');
  hub.close();
  server.close();
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toContain('"count":30');
});
