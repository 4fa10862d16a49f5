import { randomBytes, timingSafeEqual, createHmac } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { TunnelError } from './tunnel-error.ts';
import { once } from 'node:events';

/** Raised when a frame or the greeting changes so that old ends do not understand it. */
export const protocolVersion = 5;

const magic = Buffer.from('HTTPEP');
/** Magic (6), version (1), slot (1), tunnel (16), random (32), tag (32). */
const helloBytes = 88;
/** Magic (6), version (1), zero (1), session (16), random (32), proof (32). */
const challengeBytes = 88;
const proofBytes = 32;

interface Hello {
  slot: number;
  /** 16 bytes that name the remote end's tunnel. */
  tunnel: Buffer;
  random: Buffer;
}

interface Challenge {
  /** 16 bytes that name what the ground end knows of this tunnel. */
  session: Buffer;
  random: Buffer;
}

/** How long the other end may take to prove that it knows the key, … */
const greetingMs = 8000;
/** … and where its first message does not show it. */
const strangerMs = 2000;

/** Returns the session. Throws `wrong-key`, `wrong-version`, `protocol`, `lost` and `timeout`. */
export async function greetGround(
  socket: Duplex,
  { slot, tunnel, key }: { slot: number; tunnel: Buffer; key: Buffer },
): Promise<string> {
  const signal = AbortSignal.timeout(greetingMs);
  const hello = encodeHello({ slot, tunnel, random: randomBytes(32) }, key);
  socket.write(hello);
  const challenge = await inTime(readExactly(socket, challengeBytes, signal));
  const { session } = decodeChallenge(challenge, { hello, key });
  socket.write(proveRemote(hello, challenge, key));
  return session.toString('hex');
}

interface RemoteGreeting {
  key: Buffer;
  /** Names what is known of a tunnel. */
  findSession: (tunnel: string) => Buffer;
  /** The first message shows that it comes from somebody with the key, or was heard from such a one. */
  onAcquainted?: () => void;
}

/** Returns what the remote end asked for, and the session that it learned, once it has proved that it knows the key. */
export async function greetRemote(
  socket: Duplex,
  { key, findSession, onAcquainted }: RemoteGreeting,
): Promise<Hello & Pick<Challenge, 'session'>> {
  const strangerSignal = AbortSignal.timeout(strangerMs);
  const helloMessage = await inTime(readExactly(socket, helloBytes, strangerSignal));
  const hello = decodeHello(helloMessage);
  const isAcquainted = timingSafeEqual(helloMessage.subarray(-proofBytes), tagHello(helloMessage, key));
  if (isAcquainted) onAcquainted?.();
  const signal = isAcquainted ? AbortSignal.timeout(greetingMs) : strangerSignal;
  const session = findSession(hello.tunnel.toString('hex'));
  const challenge = encodeChallenge({ session, random: randomBytes(32) }, { hello: helloMessage, key });
  socket.write(challenge);
  const proof = await inTime(readExactly(socket, proofBytes, signal));
  if (!timingSafeEqual(proof, proveRemote(helloMessage, challenge, key))) {
    throw new TunnelError('wrong-key', 'A remote end has another key. Give both ends the same key file');
  }
  return { ...hello, session };
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof TunnelError) throw error;
    const isLate = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
    throw isLate
      ? new TunnelError('timeout', 'The other end did not greet in time', { cause: error })
      : new TunnelError('lost', 'The connection broke before it was open', { cause: error });
  }
}

/** The next bytes of a socket that nobody else reads. Throws `lost` when it ends before, and what the signal aborts with. */
async function readExactly(socket: Duplex, byteCount: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = [];
  let missing = byteCount;
  while (missing > 0) {
    // Bytes that stay unread would make it `readable` at once, again and again, and nothing else would run.
    const available = Math.min(missing, socket.readableLength);
    // Where nothing is left, this lets the socket notice its end.
    const bytes = socket.read(available) as Buffer | null;
    if (bytes) {
      parts.push(bytes);
      missing -= bytes.length;
      continue;
    }
    if (socket.readableEnded || socket.destroyed) {
      throw new TunnelError('lost', 'The other end closed the connection before it was open');
    }
    await waitForMore(socket, signal);
  }
  return Buffer.concat(parts);
}

async function waitForMore(socket: Duplex, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const options = { signal: AbortSignal.any([signal, over.signal]) };
  try {
    await Promise.race(['readable', 'end', 'close'].map((event) => once(socket, event, options)));
  } finally {
    over.abort();
  }
}

function encodeHello({ slot, tunnel, random }: Hello, key: Buffer): Buffer {
  const message = Buffer.concat([
    magic,
    Buffer.from([protocolVersion, slot]),
    tunnel,
    random,
    Buffer.alloc(proofBytes),
  ]);
  tagHello(message, key).copy(message, helloBytes - proofBytes);
  return message;
}

/** It keeps a place for an end that knows the key. The proof comes later: what was heard can be said again. */
function tagHello(message: Buffer, key: Buffer): Buffer {
  return prove('hello', [message.subarray(0, helloBytes - proofBytes)], key);
}

/** Throws `protocol` and `wrong-version`. */
function decodeHello(bytes: Buffer): Hello {
  checkStart(bytes);
  return { slot: bytes[7]!, tunnel: bytes.subarray(8, 24), random: bytes.subarray(24, 56) };
}

/** The ground end's answer, with the proof that it knows the key. */
function encodeChallenge({ session, random }: Challenge, { hello, key }: { hello: Buffer; key: Buffer }): Buffer {
  const body = Buffer.concat([magic, Buffer.from([protocolVersion, 0]), session, random]);
  return Buffer.concat([body, prove('ground', [hello, body], key)]);
}

/** Throws `protocol`, `wrong-version`, and `wrong-key` unless the ground end knows the key. */
function decodeChallenge(bytes: Buffer, { hello, key }: { hello: Buffer; key: Buffer }): Challenge {
  checkStart(bytes);
  const body = bytes.subarray(0, challengeBytes - proofBytes);
  if (!timingSafeEqual(bytes.subarray(challengeBytes - proofBytes), prove('ground', [hello, body], key))) {
    throw new TunnelError('wrong-key', 'The ground end has another key. Give both ends the same key file');
  }
  return { session: bytes.subarray(8, 24), random: bytes.subarray(24, 56) };
}

/** What the remote end sends to prove that it knows the key. */
function proveRemote(hello: Buffer, challenge: Buffer, key: Buffer): Buffer {
  return prove('remote', [hello, challenge], key);
}

function prove(role: 'hello' | 'ground' | 'remote', messages: readonly Buffer[], key: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(`HTTPEP ${role}\n`);
  for (const message of messages) mac.update(message);
  return mac.digest();
}

function checkStart(bytes: Buffer): void {
  if (!bytes.subarray(0, 6).equals(magic)) {
    throw new TunnelError('protocol', 'The other end does not speak HTTPEP. Check the address and the port');
  }
  if (bytes[6] !== protocolVersion) {
    throw new TunnelError(
      'wrong-version',
      `The other end speaks version ${bytes[6]!} of HTTPEP, this one version ${protocolVersion}. Install the same version on both`,
    );
  }
}
