import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocketServer, type WebSocket as Line } from 'ws';
import { protocolVersion, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { ControllerLink } from '#extension/background/extension-link.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';

let stack: AsyncDisposableStack;
let time: HeldTime;
let link: ControllerLink;
/** Lines that the Controller has accepted, in order, each after its hello. */
let lines: Line[];
let heard: ControllerMessage['type'][];
let problems: { problem: string; isFinal: boolean }[];

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  [time, lines, heard, problems] = [new HeldTime(), [], [], []];
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sockets = new WebSocketServer({ server, handleProtocols: (protocols) => [...protocols][0] ?? false });
  sockets.on('connection', (line) => line.once('message', () => lines.push(line)));
  stack.defer(async () => {
    for (const each of sockets.clients) each.terminate();
    server.close();
    await once(server, 'close');
  });
  link = new ControllerLink({
    controllerUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'right',
    hello: () =>
      Promise.resolve({
        ...{ type: 'hello', protocolVersion, agentVersion: '0', name: 'a', facts: hostFacts, passes: [] },
      } as const),
    onMessage: ({ type }) => heard.push(type),
    onDown: (why) => problems.push(why),
    sleep: time.sleep,
  });
  stack.defer(() => link.close());
});
afterEach(() => stack.disposeAsync());

const send = (line: Line, message: ControllerMessage) => line.send(JSON.stringify(message));
const welcome: ControllerMessage = { type: 'welcome', controllerVersion: '0' };
const lineCount = (count: number) => expect.poll(() => lines.length, { interval: 5 }).toBe(count);

test('a line that breaks is made again after pauses that double up to 5 s', async () => {
  await lineCount(1);
  for (const [index, pauseMs] of [250, 500, 1000, 2000, 4000, 5000, 5000].entries()) {
    lines.at(-1)!.terminate();
    await expect.poll(() => problems.length, { interval: 5 }).toBe(index + 1);
    await time.pass(pauseMs - 1);
    expect(time.sleeperCount).toBe(1);
    await time.pass(1);
    await lineCount(index + 2);
  }
  expect(problems.every(({ isFinal }) => !isFinal)).toBe(true);
});

test('a Controller that welcomes nobody is given up after 10 s, and tried again', async () => {
  await lineCount(1);
  await time.pass(9_999);
  expect(problems).toEqual([]);
  await time.pass(1);
  expect(problems).toHaveLength(1);
  await time.pass(250);
  await lineCount(2);
});

test('a line on which nothing comes for 45 s is made again, and each word of the Controller counts', async () => {
  await lineCount(1);
  send(lines[0]!, welcome);
  await expect.poll(() => heard, { interval: 5 }).toEqual(['welcome']);
  await time.pass(44_000);
  send(lines[0]!, { type: 'ping', isNeeded: true });
  await expect.poll(() => heard, { interval: 5 }).toEqual(['welcome', 'ping']);
  await time.pass(44_000);
  expect(problems).toEqual([]);
  await time.pass(1_000);
  expect(problems).toMatchObject([{ problem: expect.stringContaining('is lost') as string, isFinal: false }]);
  await time.pass(250);
  await lineCount(2);
});

test('a background that stood still itself does not take the Controller for dead', async () => {
  await lineCount(1);
  send(lines[0]!, welcome);
  await expect.poll(() => heard, { interval: 5 }).toEqual(['welcome']);
  await time.standStill(600_000);
  expect(problems).toEqual([]);
});

test('one that is refused is not tried again', async () => {
  await lineCount(1);
  send(lines[0]!, { type: 'refused', code: 'token-refused', message: 'Enrol it again' });
  lines[0]!.close();
  await expect.poll(() => problems, { interval: 5 }).toEqual([{ problem: 'Enrol it again', isFinal: true }]);
  await time.pass(600_000);
  expect([lines.length, time.sleeperCount]).toEqual([1, 0]);
});
