import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

const fine = 'HTTP/1.1 200 OK\r\n\r\n';

/** What passes on both sides of a proxy, byte by byte. */
async function talk(question: string, answer: string): Promise<{ atServer: string; atBrowser: string }> {
  let [atServer, atBrowser] = ['', ''];
  const server = createServer((socket) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      atServer += text;
      if (atServer.includes('\r\n\r\n')) socket.end(answer, 'latin1');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ground = await startTestGround();
  const remote = await startTestRemote(ground.port);
  const socket = connect(remote.port, '127.0.0.1').setEncoding('latin1');
  socket.on('data', (text: string) => (atBrowser += text));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  socket.write(question.replace('URL', url), 'latin1');
  await once(socket, 'close');
  await remote[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
  server.close();
  return { atServer, atBrowser };
}

test.each([
  ['an informational answer', `HTTP/1.1 103 Early Hints\r\nLink: </\xe9>\r\n\r\n${fine}`, 'close'],
  ['an answer', 'HTTP/1.1 200 Gut\xe9\r\nX: \xe9\r\n\r\nbody', 'close'],
  ['an answer without a body', 'HTTP/1.1 304 Gut\xe9\r\nX: \xe9\r\n\r\n', 'close'],
  [
    'an upgrade',
    'HTTP/1.1 101 Gut\xe9\r\nConnection: upgrade\r\nUpgrade: x\r\nX: \xe9\r\n\r\n',
    'upgrade\r\nUpgrade: x',
  ],
  ['a refused upgrade', 'HTTP/1.1 426 Nein\r\nX: \xe9\r\n\r\n', 'upgrade, close\r\nUpgrade: x'],
])('bytes that are no ASCII pass as they came, in the head of %s', async (_, answer, connection) => {
  const { atBrowser } = await talk(`GET URL HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`, answer);
  for (const line of answer.split('\r\n').filter((each) => each.includes('\xe9')))
    expect(atBrowser).toContain(`${line}\r\n`);
});

test.each([
  ['a request', 'GET', ''],
  ['a request with a body', 'POST', '{}'],
])('bytes that are no ASCII pass as they came, in the head of %s', async (_, method, body) => {
  const head = ['Host: x', 'X: \xe9', 'Connection: close', `Content-Length: ${body.length}`].join('\r\n');
  const { atServer } = await talk(`${method} URL HTTP/1.1\r\n${head}\r\n\r\n${body}`, fine);
  expect(atServer).toContain('X: \xe9\r\n');
});
