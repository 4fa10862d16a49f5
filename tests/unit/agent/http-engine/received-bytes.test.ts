import { once } from 'node:events';
import { createServer as createHttp1Server, type RequestListener } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { deriveReadings } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { load, openClient, type ClientOptions } from './open-client.ts';

interface Relay extends AsyncDisposable {
  url: string;
  /** Of each connection all that the server sent. */
  sent: Buffer[][];
}

/** Passes every byte between client and server, and keeps what the server sends. */
async function relay(server: Server): Promise<Relay> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent: Buffer[][] = [];
  const front = createServer((client) => {
    const parts: Buffer[] = [];
    sent.push(parts);
    const inner = connect(port, '127.0.0.1');
    for (const socket of [client, inner]) socket.on('error', () => undefined); // the other end closes it
    inner.on('data', (part) => parts.push(part));
    client.pipe(inner).pipe(client);
    client.once('close', () => inner.destroy());
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    sent,
    [Symbol.asyncDispose]: async () => {
      front.close();
      await once(front, 'close');
      server.close();
    },
  };
}

const images = Array.from({ length: 12 }, (_, index) => `<img src=/${index}.png>`).join('');
/** A page without a length, so that HTTP/1.1 cuts it into parts, and images of which one comes with more headers than fit into one HTTP/2 frame. */
const answer: RequestListener = (request, response) => {
  if (request.url === '/') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(images);
    response.end('<p>The end');
    return;
  }
  const size = 300 + 5000 * Number(/\d+/.exec(request.url!)![0]);
  response
    .writeHead(200, {
      'content-type': 'image/png',
      'content-length': size,
      ...(request.url === '/3.png' && { 'x-long': 'long'.repeat(6000) }),
    })
    .end(Buffer.alloc(size));
};

/** The frames of a whole HTTP/2 connection, one after the other. */
function listFrames(bytes: Buffer): { type: number; stream: number; bytes: number }[] {
  const frames = [];
  for (let offset = 0; offset < bytes.length; offset += 9 + bytes.readUIntBE(offset, 3)) {
    frames.push({
      type: bytes[offset + 3]!,
      stream: bytes.readUInt32BE(offset + 5),
      bytes: 9 + bytes.readUIntBE(offset, 3),
    });
  }
  return frames;
}

async function visit(url: string, options: ClientOptions): Promise<Snapshot> {
  const snapshot = await load(openClient(options), url);
  expect(snapshot.requests).toHaveLength(13);
  return snapshot;
}

/** Of the page in two parts, and of the images. */
const bodyBytes = [
  images.length + '<p>The end'.length,
  ...Array.from({ length: 12 }, (_, index) => 300 + 5000 * index),
];
const listBodies = ({ requests }: Snapshot) => requests.map(({ receivedBodyBytes }) => receivedBodyBytes);

function readReceived(snapshot: Snapshot): number {
  const reading = deriveReadings(snapshot).find(({ metric }) => metric === 'receivedBytes')!;
  if (reading.kind === 'absent') throw new Error(reading.reason);
  return reading.value;
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

test.for([
  [1, 1],
  [6, 1],
  [1, 4],
] as const)(
  'over %i HTTP/1.1 connections, with %i requests at a time on each, what was received is every byte that the server sent',
  async ([connectionsPerOrigin, pipeliningDepth]) => {
    await using it = await relay(createHttp1Server(answer));
    const browser = { protocols: ['http/1.1' as const], connectionsPerOrigin, pipeliningDepth };
    const snapshot = await visit(it.url, { browser });
    const received = readReceived(snapshot);
    expect(listBodies(snapshot)).toEqual(bodyBytes);
    expect(it.sent.filter((parts) => parts.length > 0).length).toBe(connectionsPerOrigin);
    expect(received).toBe(sum(it.sent.flat().map(({ length }) => length)));
  },
);

test('TLS adds nothing to what was received', async () => {
  await using origin = await startOrigin();
  const trustedKeys = [origin.trustedKey];
  const readOver = async (url: string, protocols: ('http/1.1' | 'h2')[]) =>
    readReceived(await visit(`${url}/images/12`, { browser: { protocols, trustedKeys } }));
  const plain = await readOver(origin.httpUrl, ['http/1.1']);
  expect(await readOver(origin.httpsUrl, ['http/1.1'])).toBe(plain);
  // Frames take the place of status lines, and compressed headers that of text.
  const framed = await readOver(origin.http2Url, ['h2']);
  expect(framed).toBeLessThan(plain);
  expect(framed).toBeGreaterThan(0.95 * plain);
});

test('over HTTP/2 what was received is every frame of headers and bodies that the server sent, of each stream', async () => {
  await using it = await relay(createHttp2Server(answer as never));
  const snapshot = await visit(it.url, { browser: { protocols: ['h2'] } });
  expect(it.sent).toHaveLength(1);
  expect(listBodies(snapshot)).toEqual(bodyBytes);
  const frames = listFrames(Buffer.concat(it.sent[0]!));
  const answers = frames.filter(({ type }) => [0, 1, 9].includes(type));
  expect(answers.some(({ type }) => type === 9)).toBe(true);
  expect(readReceived(snapshot)).toBe(sum(answers.map(({ bytes }) => bytes)));
  const perStream = [...Map.groupBy(answers, ({ stream }) => stream).values()].map((own) =>
    sum(own.map(({ bytes }) => bytes)),
  );
  expect(snapshot.requests.map(({ receivedBytes }) => receivedBytes).toSorted((a, b) => a! - b!)).toEqual(
    perStream.toSorted((a, b) => a - b),
  );
});

test('the base page ends when its last byte came, before anything that this byte named was asked for', async () => {
  const page = Array.from({ length: 300 }, (_, index) => `<img src=/${index}.png>`).join('');
  await using it = await relay(
    createHttp1Server(
      (request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/' ? page : 'x'),
    ),
  );
  const { requests } = await load(openClient(), it.url);
  const [base, ...objects] = requests;
  expect(objects).toHaveLength(300);
  expect(base!.endEpochMs).toBeLessThanOrEqual(Math.min(...objects.map(({ startEpochMs }) => startEpochMs)));
});
