import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

const hidden = 'GET /hidden HTTP/1.1\r\nHost: v\r\n\r\n';

/** Requests that hide another one in what should be their body. The connections to web servers are shared by all users. */
const requests: Record<string, string> = {
  'names its length in Connection': `GET http://HOST/first HTTP/1.1\r\nHost: HOST\r\nConnection: content-length\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'upgrades and states a length': `POST http://HOST/first HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
};

test.each(Object.entries(requests))('a request that %s reaches the web server as one', async (_, request) => {
  const seen: { path: string; body: string }[] = [];
  const server = createServer((incoming: IncomingMessage, response) => {
    void text(incoming).then((body) => {
      seen.push({ path: incoming.url!, body });
    });
    response.end('answer');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using ground = await startTestGround();
  await using remote = await startTestRemote(ground.port);

  const socket = connect(remote.port, '127.0.0.1');
  socket.write(request.replaceAll('HOST', host));
  await once(socket, 'data');
  socket.destroy();
  // Of another user, over the connection that is kept.
  const answers = await Promise.all(['/next', '/next'].map((path) => ask(`http://${host}${path}`, {}, remote.port)));

  expect(answers.map(({ body }) => Buffer.from(body, 'base64').toString())).toEqual(['answer', 'answer']);
  await expect.poll(() => seen.length).toBe(3);
  expect(seen.map(({ path }) => path)).toEqual(['/first', '/next', '/next']);
  server.close();
  server.closeAllConnections();
});
