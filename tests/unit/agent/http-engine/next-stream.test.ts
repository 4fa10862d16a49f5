import { once } from 'node:events';
import { connect as connectHttp2, createServer, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ObservedSocket, takeNextStream } from '#agent/engines/http/network/http2-connection.ts';

test('a stream goes to what waits for one on its connection, although another connection opens one first', async () => {
  const server = createServer((_request, response) => void response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = () => {
    const connection = new ObservedSocket(connect(port, '127.0.0.1'), () => undefined);
    const session = connectHttp2(`http://127.0.0.1:${port}`, { createConnection: () => connection });
    return { connection, session };
  };
  const request = async (session: ClientHttp2Session) => {
    const stream = session.request();
    await once(stream.resume(), 'close');
    return stream;
  };
  const [first, second] = [open(), open()];
  const taken = new Map<'first' | 'second', ClientHttp2Stream>();
  try {
    takeNextStream(first.connection, (stream) => void taken.set('first', stream));
    takeNextStream(second.connection, (stream) => void taken.set('second', stream));
    const ofSecond = await request(second.session);
    const ofFirst = await request(first.session);
    await request(first.session); // nothing waits any more
    expect(taken.get('first') === ofFirst).toBe(true);
    expect(taken.get('second') === ofSecond).toBe(true);
  } finally {
    first.session.close();
    second.session.close();
    server.close();
  }
});
