import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ControllerLine, type LineOptions, type SocketEvents } from '#core/agent/controller-line.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { HeldTime, settle } from '#tests/support/held-time.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';

const passId = randomUUID();
const hello: AgentMessage = {
  type: 'hello',
  protocolVersion,
  agentVersion: '0',
  name: 'a',
  facts: hostFacts,
  passes: [],
};
const welcome: ControllerMessage = { type: 'welcome', controllerVersion: '0' };

/** One end of a connection, which the test holds. */
interface Connection extends SocketEvents {
  host: string;
  sent: string[];
  isClosed: boolean;
}

/** A line in time that the test holds, to Controllers whose part the test plays. */
function holdLine(options: Partial<LineOptions> = {}) {
  const time = new HeldTime();
  const ending = new AbortController();
  const connections: Connection[] = [];
  const got: string[] = [];
  const downs: [kind: string, wasWelcome: boolean, pauseMs: number][] = [];
  const line = new ControllerLine({
    controllerUrls: ['http://one.test'],
    token: 'token',
    hello: () => hello,
    openSocket: ({ host }, _protocols, events) => {
      const connection: Connection = { ...events, host, sent: [], isClosed: false };
      connections.push(connection);
      return {
        send: (data) => connection.sent.push((JSON.parse(data as string) as AgentMessage).type),
        close: () => (connection.isClosed = true),
      };
    },
    silenceMs: { unwelcome: 3000, welcome: 5500 },
    onMessage: ({ type }) => got.push(type),
    onDown: ({ kind, wasWelcome }, pauseMs) => downs.push([kind, wasWelcome, pauseMs]),
    warn: (problem) => got.push(`! ${problem}`),
    sleep: time.sleep,
    ...options,
  });
  const over = line.hold(ending.signal);
  const last = () => connections.at(-1)!;
  const say = async (message: ControllerMessage | object) => {
    last().onText(JSON.stringify(message));
    await settle();
  };
  const open = async () => {
    last().onOpen();
    await settle();
  };
  const breakOff = async (problem: string | null = null) => {
    last().onClose(problem);
    await settle();
  };
  return { line, time, ending, over, connections, got, downs, last, say, open, breakOff };
}

test('a line says hello when it is open, and is up with the welcome', async () => {
  const steps: string[] = [];
  const { line, connections, last, open, say, ending, over } = holdLine({
    onUp: () => steps.push('up'),
    onMessage: ({ type }) => steps.push(type),
  });
  expect([connections.length, last().sent]).toEqual([1, []]);
  await open();
  expect([last().sent, line.isConnected]).toEqual([['hello'], false]);
  await say(welcome);
  expect([steps, line.isConnected]).toEqual([['up', 'welcome'], true]);
  ending.abort();
  expect(await over).toBeNull();
  expect([last().isClosed, line.isConnected]).toEqual([true, false]);
});

test('steps of Passes after the hello are sent after the welcome, in order; what is sent before is dropped', async () => {
  const { line, last, open, say, breakOff, time } = holdLine();
  line.send({ type: 'pass-ready', passId });
  await open();
  line.send({ type: 'pass-ready', passId });
  line.send({ type: 'visits-waiting' });
  line.send({ type: 'pass-started', passId, startedEpochMs: 1 });
  expect(last().sent).toEqual(['hello']);
  await say(welcome);
  expect(last().sent).toEqual(['hello', 'pass-ready', 'pass-started']);
  line.send({ type: 'visits-waiting' });
  expect(last().sent.at(-1)).toBe('visits-waiting');
  await breakOff();
  line.send({ type: 'pass-ready', passId });
  await time.pass(250);
  // The next hello lists that Pass.
  await open();
  await say(welcome);
  expect(last().sent).toEqual(['hello']);
});

test('the pause before the next connection doubles up to 5 s, and begins at 250 ms again after a welcome', async () => {
  const { connections, downs, breakOff, open, say, time } = holdLine();
  for (const pauseMs of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
    const count = connections.length;
    await breakOff();
    expect(downs.at(-1)).toEqual(['broke', false, pauseMs]);
    await time.pass(pauseMs - 1);
    expect(connections).toHaveLength(count);
    await time.pass(1);
    expect(connections).toHaveLength(count + 1);
  }
  await open();
  await say(welcome);
  await breakOff();
  expect(downs.at(-1)).toEqual(['broke', true, 250]);
});

test('a line counts as silent after whole seconds without a word, of which it has less before the welcome', async () => {
  const { downs, open, say, time } = holdLine();
  await time.pass(2999);
  expect(downs).toEqual([]);
  await time.pass(1);
  expect(downs).toEqual([['fell-silent', false, 250]]);
  await time.pass(250);
  await open();
  await time.pass(2500);
  await say(welcome);
  // Six ticks since the last word.
  await time.pass(5000);
  expect(downs).toHaveLength(1);
  await say({ type: 'ping' });
  await time.pass(5400);
  expect(downs).toHaveLength(1);
  await time.pass(1000);
  expect(downs.at(-1)).toEqual(['fell-silent', true, 250]);
});

test('after a stand-still of its own process, a line still waits for what came meanwhile', async () => {
  const { downs, open, say, time } = holdLine();
  await open();
  await say(welcome);
  await time.standStill(60_000);
  expect(downs).toEqual([]);
});

test('a Controller that does not answer, or falls silent, is left for the next; one that broke off is tried again', async () => {
  const { last, open, say, breakOff, time, line } = holdLine({
    controllerUrls: ['http://one.test', 'http://two.test', 'http://three.test'],
  });
  expect(last().host).toBe('one.test');
  await breakOff('refused');
  await time.pass(250);
  expect([last().host, line.controllerUrl]).toEqual(['two.test', 'http://two.test']);
  await breakOff();
  await time.pass(500);
  expect(last().host).toBe('three.test');
  await breakOff();
  await time.pass(1000);
  expect(last().host).toBe('one.test');
  await open();
  await say(welcome);
  await time.pass(6000 + 250);
  // Silent.
  expect(last().host).toBe('two.test');
  await open();
  await say(welcome);
  await breakOff();
  await time.pass(250);
  // Broken off: the preferred one may be there.
  expect(last().host).toBe('one.test');
});

test('a Controller that refuses the Agent ends the line for good', async () => {
  const { over, open, say, connections, time } = holdLine();
  await open();
  const refused = { type: 'refused', code: 'token-refused', message: 'no' } as const;
  await say(refused);
  expect(await over).toEqual(refused);
  await time.pass(60_000);
  expect(connections.map(({ isClosed }) => isClosed)).toEqual([true]);
});

test('a ping is answered, and what is no message is reported and ignored', async () => {
  const { last, open, say, got } = holdLine();
  await open();
  await say(welcome);
  await say({ type: 'ping' });
  await say({ type: 'from-the-future' });
  expect(last().sent).toEqual(['hello', 'pong']);
  expect(got).toEqual(['welcome', 'ping', expect.stringMatching(/^! .*does not know/)]);
});

test('a hello that cannot be made breaks the line, and is tried again', async () => {
  let tries = 0;
  const { got, downs, open, last, time } = holdLine({
    hello: () => (++tries === 1 ? Promise.reject(new Error('no facts')) : hello),
  });
  await open();
  expect([got, downs]).toEqual([['! The hello could not be made: no facts'], [['broke', false, 250]]]);
  await time.pass(250);
  await open();
  expect(last().sent).toEqual(['hello']);
});

test('a renewed line says hello over a new connection', async () => {
  const { line, downs, open, say, connections, time } = holdLine();
  await open();
  await say(welcome);
  line.renew();
  await time.pass(250);
  await open();
  expect(downs).toEqual([['was-left', true, 250]]);
  expect(connections.map(({ isClosed, sent }) => [isClosed, sent])).toEqual([
    [true, ['hello']],
    [false, ['hello']],
  ]);
});
