import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { NetworkError } from '#agent/engines/http/network/network-error.ts';
import { ask, openNetwork } from './ask-network.ts';
import { serveTcp } from './serve-tcp.ts';

const fine = (body = 'hello', fields = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${fields}\r\n${body}`;

/** Calls `answer` with the path of each request, and with how many the connection has had before. */
const serve = (answer: (socket: Socket, path: string, before: number) => void) =>
  serveTcp((socket) => {
    let text = '';
    let count = 0;
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const heads = text.split('\r\n\r\n');
      text = heads.pop()!;
      for (const head of heads) answer(socket, head.split(' ')[1]!, count++);
    });
  });

test('a request has the fields that browsers add, and those that it was given', async () => {
  let seen = '';
  await using server = await serveTcp((socket) =>
    socket.on('data', (data) => {
      seen += data.toString('latin1');
      socket.write(fine());
    }),
  );
  await using network = openNetwork();
  const { host } = new URL(server.url);
  const listener = { onSent() {}, onPromised() {}, onHead() {}, onData() {}, onReceived() {} };
  const headers = { cookie: 'a=\xe4', accept: '*/*' };
  await network.request(new URL(`${server.url}/a?b`), { urgency: 0, headers, takesPush: false, listener });
  expect(seen).toBe(
    `GET /a?b HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\ncookie: a=\xe4\r\naccept: */*\r\n\r\n`,
  );
});

/** As measured with Chrome 156. */
describe('behind an answer, the connection is used again', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n';
  test.each([
    ['without more', fine(), true],
    ['of HTTP/2.0', fine().replace('1.1', '2.0'), true],
    ['of HTTP/1.0', fine().replace('1.1', '1.0'), false],
    ['of HTTP/1.0 that keeps it', fine('x', 'Connection: Keep-Alive\r\n').replace('1.1', '1.0'), true],
    ['of no version', fine().replace('/1.1', ''), false],
    ['that closes it', fine('x', 'Connection: close\r\n'), false],
    ['that closes and keeps it', fine('x', 'Connection: close, keep-alive\r\n'), false],
    ['that keeps and closes it', fine('x', 'Connection: keep-alive, close\r\n'), true],
    ['that closes it for a proxy', fine('x', 'Proxy-Connection: close\r\n'), false],
    ['with chunks and a length', `${chunked}Content-Length: 50\r\n\r\n1\r\nx\r\n0\r\n\r\n`, true],
    ['with fields behind', `${chunked}\r\n1\r\nx\r\n0\r\nX-T: 1\r\n\r\n`, true],
    ['with something behind', `${fine()}more`, false],
    ['with an empty line behind', `${fine()}\r\n`, false],
    ['of 204', 'HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n', true],
    ['of 204 with a body', 'HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nhello', false],
    ['behind an interim one', `HTTP/1.1 103 Hints\r\n\r\n${fine()}`, true],
    ['with a coding and a length', fine('x', 'Transfer-Encoding: gzip\r\n'), true],
  ])('%s: %s', async (_, answer, isUsedAgain) => {
    await using server = await serve((socket) => socket.write(answer));
    await using network = openNetwork();
    const first = await ask(network, server.url);
    const second = await ask(network, server.url);
    expect([first.failure, second.failure]).toEqual([null, null]);
    expect(second.connectionId === first.connectionId).toBe(isUsedAgain);
  });
});

describe('a request is asked again', () => {
  const asked: string[] = [];
  const twice = async (server: { url: string }) => {
    await using network = openNetwork({ connectionsPerOrigin: 1 });
    return [await ask(network, `${server.url}/1`), await ask(network, `${server.url}/2`)] as const;
  };

  test.each([
    ['nothing', (socket: Socket) => socket.end()],
    ['a reset', (socket: Socket) => socket.resetAndDestroy()],
    ['408', (socket: Socket) => socket.end('HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n')],
  ])('if a kept connection answers with %s', async (_, giveUp) => {
    asked.length = 0;
    await using server = await serve((socket, path, before) => {
      asked.push(path);
      if (before === 0) socket.write(fine(path));
      else giveUp(socket);
    });
    const [first, second] = await twice(server);
    expect([first.body, second.body]).toEqual(['/1', '/2']);
    expect(asked).toEqual(['/1', '/2', '/2']);
  });

  test('but not on a connection that it was the first on', async () => {
    await using server = await serve((socket, path) => {
      socket.end(path === '/1' ? '' : 'HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n');
    });
    const [first, second] = await twice(server);
    expect(first).toMatchObject({ head: null, failure: { code: 'connection-reset' } });
    expect(second).toMatchObject({ head: { status: 408 }, failure: null });
  });

  test('and not if its answer has begun', async () => {
    await using server = await serve((socket, path, before) => {
      if (before === 0) socket.write(fine(path));
      else socket.end('HTTP/1.1 103 Early Hints\r\n\r\n');
    });
    expect((await twice(server))[1]).toMatchObject({ head: null, failure: { code: 'connection-reset' } });
  });
});

test('what a server sends unasked ends its connection, and answers nothing', async () => {
  const closed: Promise<unknown>[] = [];
  await using server = await serve((socket, path) => {
    socket.write(fine(path));
    if (path !== '/1') return;
    closed.push(once(socket, 'close'));
    setImmediate(() => socket.write(fine('nobody asked')));
  });
  await using network = openNetwork();
  await ask(network, `${server.url}/1`);
  await Promise.all(closed);
  expect(await ask(network, `${server.url}/2`)).toMatchObject({ body: '/2', connectionId: '2' });
});

describe('pipelined requests', () => {
  const five = ['/1', '/2', '/3', '/4', '/5'];
  const askFive = async (server: { url: string }) => {
    await using network = openNetwork({ connectionsPerOrigin: 1, pipeliningDepth: 5 });
    return await Promise.all(five.map((path) => ask(network, server.url + path)));
  };

  test('have their own sizes, although their answers come in one piece', async () => {
    const chunked = (path: string) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n${path}\r\n0\r\n\r\n`;
    const answers = [fine('/1'), chunked('/2'), `HTTP/1.1 103 X\r\n\r\n${fine('/3')}`, chunked('/4'), fine('/5')];
    await using server = await serve((socket, _path, before) => {
      if (before === 4) socket.write(answers.join(''));
    });
    const outcomes = await askFive(server);
    expect(outcomes.map(({ body }) => body)).toEqual(five);
    expect(outcomes.map(({ receivedBytes }) => receivedBytes)).toEqual(answers.map(({ length }) => length));
  });

  test.each([
    ['closes', fine('/2', 'Connection: close\r\n'), null],
    ['ends with its connection', 'HTTP/1.1 200 OK\r\n\r\n/2', null],
    ['is broken off', fine('/2 and more').slice(0, -9), 'connection-reset'],
    ['is none', 'no answer at all\r\n\r\n', 'unsupported-content'],
  ])('behind an answer that %s are asked again on another connection', async (_, answer, code) => {
    let hasBroken = false;
    await using server = await serve((socket, path) => {
      if (path !== '/2' || hasBroken) return void (socket.writable && socket.write(fine(path)));
      hasBroken = true;
      socket.end(answer);
    });
    const outcomes = await askFive(server);
    expect(outcomes.map(({ failure }) => failure?.code ?? null)).toEqual([null, code, null, null, null]);
    expect(outcomes.filter((_outcome, place) => place !== 1).map(({ body }) => body)).toEqual(['/1', '/3', '/4', '/5']);
    expect(new Set(outcomes.map(({ connectionId }) => connectionId)).size).toBe(2);
  });
});

describe('an answer that is broken off', () => {
  const reason = new NetworkError('aborted', 'It is not wanted');

  test('ends its connection and gets no more of it; the requests behind it are asked again', async () => {
    await using server = await serve((socket, path) => {
      // The rest of the first body never comes.
      socket.write(path === '/1' ? fine('x'.repeat(100)).slice(0, -50) : fine(path));
    });
    await using network = openNetwork({ connectionsPerOrigin: 1, pipeliningDepth: 2 });
    const [first, second] = await Promise.all([
      ask(network, `${server.url}/1`, { onHead: ({ abort }) => abort(reason) }),
      ask(network, `${server.url}/2`),
    ]);
    expect(first).toMatchObject({ body: '', failure: reason });
    expect(second).toMatchObject({ body: '/2', failure: null, connectionId: '2' });
  });

  test('too late, when it is whole, ends nothing', async () => {
    await using server = await serve((socket, path) => socket.write(fine(path)));
    await using network = openNetwork({ connectionsPerOrigin: 1 });
    const first = await ask(network, `${server.url}/1`);
    const second = await ask(network, `${server.url}/2`, { onHead: () => first.head!.abort(reason) });
    expect(second).toMatchObject({ body: '/2', failure: null, connectionId: first.connectionId });
  });
});

test('a client that is closed breaks off what is under way', async () => {
  await using server = await serve((socket) => socket.write(fine('hello').slice(0, -1)));
  const network = openNetwork();
  const outcome = await ask(network, server.url, { onData: () => void network[Symbol.asyncDispose]() });
  expect(outcome).toMatchObject({ body: 'hell', failure: { code: 'aborted' } });
});
