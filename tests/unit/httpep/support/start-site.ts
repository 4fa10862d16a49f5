import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer as createRelay, type AddressInfo } from 'node:net';
import { ask, type Question } from './ask.ts';
import { startTestGround, startTestRemote } from './start-pair.ts';

export type SiteAnswers = Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>;

/** A web server with these answers, behind both ends of HTTPEP. */
export async function startSite(answers: SiteAnswers, groundOptions: Parameters<typeof startTestGround>[0] = {}) {
  const server = createServer((request, response) => {
    response.sendDate = false;
    const answer = answers[request.url!];
    if (answer) answer(response, request);
    else response.writeHead(404).end('nothing there');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ground = await startTestGround(groundOptions);
  let tunnelBytes = 0;
  const relay = createRelay((socket) => {
    const onward = connect(ground.port, '127.0.0.1');
    for (const each of [socket, onward]) {
      each.on('error', () => undefined);
      each.on('data', (chunk: Buffer) => (tunnelBytes += chunk.length));
      each.on('close', () => [socket, onward].forEach((other) => other.destroy()));
    }
    socket.pipe(onward).pipe(socket);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const remote = await startTestRemote((relay.address() as AddressInfo).port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    ground,
    remote,
    direct: (path: string, question?: Question) => ask(`${url}${path}`, question),
    proxied: (path: string, question?: Question) => ask(`${url}${path}`, question, remote.port),
    /** What both directions of the tunnel carried so far. */
    tunnelBytes: () => tunnelBytes,
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
      relay.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
