import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useTestPair } from './support/start-pair.ts';

const pair = useTestPair();

/** A client and a web server that have spoken to each other, where HTTP is no longer spoken. */
async function open(ask: string) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connect(pair.remote.port, '127.0.0.1');
  client.write(ask.replaceAll('ORIGIN', authority));
  const [atServer] = (await once(server, 'connection')) as [Socket];
  server.close();
  const received = once(atServer, 'data');
  client.write('hello');
  await received;
  return { client, atServer };
}

/** How a connection ended. */
async function endOf(socket: Socket): Promise<string> {
  socket.resume();
  return await new Promise((resolve) => {
    socket.on('error', ({ message }) => resolve(message));
    socket.on('end', () => resolve('end'));
  });
}

/** What the kernel waits for on a connection of this machine; `02`: to ask for a sign of life. https://docs.kernel.org/networking/proc_net_tcp.html */
async function readTimer(local: number, remote: number): Promise<string | undefined> {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const connection = new RegExp(`\\w:${hex(local)} \\w+:${hex(remote)} 01 \\S+ (\\w\\w):`);
  return connection.exec(await readFile('/proc/net/tcp', 'utf8'))?.[1];
}

describe.each([
  ['CONNECT', 'CONNECT ORIGIN HTTP/1.1\r\n\r\n', 'half'],
  [
    'an upgrade',
    'GET http://ORIGIN/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n',
    'HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\nhalf',
  ],
])('what breaks off at one end of %s does not look whole at the other (RFC 9112, 9.8)', (_, ask, answer) => {
  const start = async () => {
    const ends = await open(ask);
    ends.atServer.write(answer);
    let text = '';
    for await (const bytes of ends.client.iterator({ destroyOnReturn: false }))
      if ((text += String(bytes)).endsWith('half')) break;
    return ends;
  };

  test('of the web server', async () => {
    const { client, atServer } = await start();
    atServer.resetAndDestroy();
    expect(await endOf(client)).toContain('ECONNRESET');
  });

  test('of the client', async () => {
    const { client, atServer } = await start();
    client.write('more');
    await once(atServer, 'data');
    client.resetAndDestroy();
    expect(await endOf(atServer)).toContain('ECONNRESET');
  });

  test.runIf(process.platform === 'linux')('the kernel asks both for a sign of life, as one may be gone', async () => {
    const { client, atServer } = await start();
    const toClient = [pair.remote.port, client.localPort!] as const;
    const toServer = [atServer.remotePort!, atServer.localPort!] as const;
    for (const ports of [toClient, toServer]) await expect.poll(() => readTimer(...ports)).toBe('02');
    client.destroy();
  });

  test('what ends there ends here', async () => {
    const { client, atServer } = await start();
    atServer.end();
    expect(await endOf(client)).toBe('end');
  });
});
