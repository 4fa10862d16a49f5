import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  challengeBytes,
  decodeChallenge,
  decodeHello,
  encodeChallenge,
  encodeHello,
  helloBytes,
  proofBytes,
  proveRemote,
  type Hello,
} from './greeting.ts';
import { readExactly } from './read-exactly.ts';
import { TunnelError } from './tunnel-error.ts';

/** How long the other end may take to prove that it knows the key. */
const greetingMs = 8000;

/** Returns the session. Throws `wrong-key`, `wrong-version`, `protocol`, `lost` and `timeout`. */
export async function greetGround(
  socket: Duplex,
  { slot, tunnel, key }: { slot: number; tunnel: Buffer; key: Buffer },
): Promise<string> {
  const signal = AbortSignal.timeout(greetingMs);
  const hello = encodeHello({ slot, tunnel, random: randomBytes(32) });
  socket.write(hello);
  const challenge = await inTime(readExactly(socket, challengeBytes, signal));
  const { session } = decodeChallenge(challenge, { hello, key });
  socket.write(proveRemote(hello, challenge, key));
  return session.toString('hex');
}

/** Returns what the remote end asked for, once it has proved that it knows the key. `findSession` names what is known of a tunnel. */
export async function greetRemote(
  socket: Duplex,
  { key, findSession }: { key: Buffer; findSession: (tunnel: string) => Buffer },
): Promise<Hello> {
  const signal = AbortSignal.timeout(greetingMs);
  const helloMessage = await inTime(readExactly(socket, helloBytes, signal));
  const hello = decodeHello(helloMessage);
  const session = findSession(hello.tunnel.toString('hex'));
  const challenge = encodeChallenge({ session, random: randomBytes(32) }, { hello: helloMessage, key });
  socket.write(challenge);
  const proof = await inTime(readExactly(socket, proofBytes, signal));
  if (!timingSafeEqual(proof, proveRemote(helloMessage, challenge, key))) {
    throw new TunnelError('wrong-key', 'A remote end has another key. Give both ends the same key file');
  }
  return hello;
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof TunnelError) throw error;
    const isLate = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
    throw isLate
      ? new TunnelError('timeout', `The other end did not greet within ${greetingMs / 1000} s`, { cause: error })
      : new TunnelError('lost', 'The connection broke before it was open', { cause: error });
  }
}
