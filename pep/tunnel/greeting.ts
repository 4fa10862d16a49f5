import { createHmac, timingSafeEqual } from 'node:crypto';
import { TunnelError } from './tunnel-error.ts';

/** Raised when a frame or the greeting changes so that old ends do not understand it. */
export const protocolVersion = 4;

const magic = Buffer.from('HTTPEP');
/** Magic (6), version (1), slot (1), tunnel (16), random (32). */
export const helloBytes = 56;
/** Magic (6), version (1), zero (1), session (16), random (32), proof (32). */
export const challengeBytes = 88;
export const proofBytes = 32;

export interface Hello {
  slot: number;
  /** 16 bytes that name the remote end's tunnel. */
  tunnel: Buffer;
  random: Buffer;
}

export interface Challenge {
  /** 16 bytes that name what the ground end knows of this tunnel. */
  session: Buffer;
  random: Buffer;
}

export function encodeHello({ slot, tunnel, random }: Hello): Buffer {
  return Buffer.concat([magic, Buffer.from([protocolVersion, slot]), tunnel, random]);
}

/** Throws `protocol` and `wrong-version`. */
export function decodeHello(bytes: Buffer): Hello {
  checkStart(bytes);
  return { slot: bytes[7]!, tunnel: bytes.subarray(8, 24), random: bytes.subarray(24, 56) };
}

/** The ground end's answer, with the proof that it knows the key. */
export function encodeChallenge(
  { session, random }: Challenge,
  { hello, key }: { hello: Buffer; key: Buffer },
): Buffer {
  const body = Buffer.concat([magic, Buffer.from([protocolVersion, 0]), session, random]);
  return Buffer.concat([body, prove('ground', [hello, body], key)]);
}

/** Throws `protocol`, `wrong-version`, and `wrong-key` unless the ground end knows the key. */
export function decodeChallenge(bytes: Buffer, { hello, key }: { hello: Buffer; key: Buffer }): Challenge {
  checkStart(bytes);
  const body = bytes.subarray(0, challengeBytes - proofBytes);
  if (!timingSafeEqual(bytes.subarray(challengeBytes - proofBytes), prove('ground', [hello, body], key))) {
    throw new TunnelError('wrong-key', 'The ground end has another key. Give both ends the same key file');
  }
  return { session: bytes.subarray(8, 24), random: bytes.subarray(24, 56) };
}

/** What the remote end sends to prove that it knows the key. */
export function proveRemote(hello: Buffer, challenge: Buffer, key: Buffer): Buffer {
  return prove('remote', [hello, challenge], key);
}

function prove(role: 'ground' | 'remote', messages: readonly Buffer[], key: Buffer): Buffer {
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
