import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ExtensionLine } from '#agent/engines/extension/extension-line.ts';
import { protocolVersion, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';

const token = 'the-token';
const hello: AgentMessage = {
  type: 'hello',
  protocolVersion,
  agentVersion: '1',
  name: 'extension',
  facts: hostFacts,
  passes: [],
};

let line: ExtensionLine;
beforeEach(async () => {
  line = await ExtensionLine.open(token);
});
afterEach(() => line[Symbol.asyncDispose]());

async function connectToLine(): Promise<WebSocket> {
  const socket = new WebSocket(`${line.url.replace('http', 'ws')}/agent`, offerToken(token));
  await once(socket, 'open');
  return socket;
}

async function expectServed(): Promise<void> {
  const extension = await connectToLine();
  extension.send(JSON.stringify(hello));
  const [answer] = (await once(extension, 'message')) as [Buffer];
  expect(JSON.parse(answer.toString())).toMatchObject({ type: 'welcome' });
}

test.each([
  ['no JSON', '{'],
  ['no message', '{ "type": "nonsense" }'],
  ['a message out of turn', '{ "type": "pong" }'],
  ['another version', JSON.stringify({ ...hello, protocolVersion: 1 })],
])('who sends %s is shown out, and the extension is served', async (_, text) => {
  const stranger = await connectToLine();
  stranger.send(text);
  await once(stranger, 'close');
  await expectServed();
});

test('who does not keep to WebSocket is shown out, and the extension is served', async () => {
  const stranger = await connectToLine();
  // A frame of a kind that there is none of, unmasked.
  (stranger as unknown as { _socket: Socket })._socket.write(Buffer.from([0xff, 0x00]));
  await once(stranger, 'close');
  await expectServed();
});

test('who connects and asks for nothing does not hold up its end', async () => {
  const { port } = new URL(line.url);
  const silent = connect(Number(port), '127.0.0.1');
  await once(silent, 'connect');
  // Accepted, once who came later is served.
  await expectServed();
  const closed = once(silent, 'close');
  await line[Symbol.asyncDispose]();
  await closed;
  line = await ExtensionLine.open(token);
});

test.each([
  ['no token', []],
  ['another token', offerToken('another')],
])('who brings %s is not let in, and the extension is served', async (_, offered) => {
  const stranger = new WebSocket(`${line.url.replace('http', 'ws')}/agent`, offered);
  const [error] = (await once(stranger, 'error')) as [Error];
  expect(error.message).toContain('401');
  await expectServed();
});
