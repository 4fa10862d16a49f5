import { duplexPair, type Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { greetGround, greetRemote, protocolVersion } from '#httpep/tunnel/greet.ts';

const tunnel = Buffer.alloc(16, 7);
const key = Buffer.from('a key of more than sixteen bytes');

function greet(remoteKey: Buffer, groundKey: Buffer) {
  const [remote, ground] = duplexPair();
  const sent: Buffer[] = [];
  const write = remote.write.bind(remote) as (chunk: Buffer) => boolean;
  remote.write = (chunk: Buffer) => {
    sent.push(chunk);
    return write(chunk);
  };
  const atRemote = greetGround(remote, { slot: 3, tunnel, key: remoteKey }).finally(() => remote.end());
  const atGround = greetRemote(ground, { key: groundKey, findSession: () => Buffer.alloc(16, 9) });
  return { sent, result: Promise.allSettled([atRemote, atGround]) };
}

test('two ends with the same key know each other, and the key is not on the wire', async () => {
  const { sent, result } = greet(key, key);
  const [atRemote, atGround] = await result;
  expect(atRemote).toMatchObject({ status: 'fulfilled', value: '09'.repeat(16) });
  expect(atGround).toMatchObject({ status: 'fulfilled', value: { slot: 3, tunnel } });
  expect(Buffer.concat(sent).includes(key)).toBe(false);
});

test.for([
  ['the same', key, true],
  ['another', Buffer.from('another key, just as long as it is'), false],
] as const)('a remote end with %s key is known by its first message, or is not', async ([, own, isKept]) => {
  const [remote, ground] = duplexPair();
  let isAcquainted = false;
  const onAcquainted = () => (isAcquainted = true);
  const atGround = greetRemote(ground, { key, findSession: () => Buffer.alloc(16, 9), onAcquainted });
  const atRemote = greetGround(remote, { slot: 3, tunnel, key: own }).finally(() => remote.end());
  await Promise.allSettled([atRemote, atGround]);
  expect(isAcquainted).toBe(isKept);
});

test('another key is refused by both', async () => {
  const { result } = greet(key, Buffer.from('another key, just as long as it is'));
  const [atRemote, atGround] = await result;
  expect(atRemote).toMatchObject({ status: 'rejected', reason: { code: 'wrong-key' } });
  expect(atGround).toMatchObject({ status: 'rejected', reason: { code: 'lost' } });
});

test('a remote end that does not prove that it knows the key is refused', async () => {
  const [remote, ground] = duplexPair();
  const atGround = greetRemote(ground, { key, findSession: () => Buffer.alloc(16) });
  remote.write(Buffer.concat([Buffer.from('HTTPEP'), Buffer.from([protocolVersion, 0]), Buffer.alloc(80)]));
  remote.write(Buffer.alloc(32));
  await expect(atGround).rejects.toMatchObject({ code: 'wrong-key' });
});

test.for([
  ['GET / HTTP/1.1\r\n'.padEnd(88, ' '), 'protocol'],
  [`HTTPEP\u0001${'x'.repeat(81)}`, 'wrong-version'],
])('a greeting that begins with %j is refused: %s', async ([text, code]) => {
  const [remote, ground] = duplexPair();
  const atGround = greetRemote(ground, { key, findSession: () => Buffer.alloc(16) });
  remote.write(text);
  await expect(atGround).rejects.toMatchObject({ code });
});

test('a greeting that comes byte by byte holds up nothing else', async () => {
  const [remote, ground] = duplexPair();
  const [slowly, atRemote] = duplexPair();
  const dribble = async (from: Duplex, to: Duplex) => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (const byte of chunk) {
        to.write(Buffer.from([byte]));
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
  };
  void dribble(remote, slowly);
  void dribble(slowly, remote);
  const atGround = greetRemote(ground, { key, findSession: () => Buffer.alloc(16) });
  await greetGround(atRemote, { slot: 2, tunnel: Buffer.alloc(16), key });
  expect(await atGround).toMatchObject({ slot: 2 });
});

test('what comes right after the proof is not lost', async () => {
  const [remote, ground] = duplexPair();
  const atGround = greetRemote(ground, { key, findSession: () => Buffer.alloc(16) });
  await greetGround(remote, { slot: 0, tunnel, key });
  remote.write('first frame');
  await atGround;
  const received = new Promise<string>((resolve) => ground.on('data', (chunk: Buffer) => resolve(String(chunk))));
  ground.resume();
  expect(await received).toBe('first frame');
});
