import { joinBytes } from './packet-bytes.ts';

function number(bytes: number, value: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 0xff);
}

function vector(lengthBytes: number, ...parts: Uint8Array[]): Uint8Array {
  const body = joinBytes(...parts);
  return joinBytes(number(lengthBytes, body.length), body);
}

export type Extension = [type: number, body: Uint8Array];

export function applicationProtocols(...names: string[]): Extension {
  return [16, vector(2, ...names.map((name) => vector(1, Buffer.from(name, 'latin1'))))];
}

export const padding: (bytes: number) => Extension = (bytes) => [21, new Uint8Array(bytes)];
export const chosenVersion: (version: number) => Extension = (version) => [43, number(2, version)];

function extensionBytes(extensions: Extension[]): Uint8Array {
  return vector(2, ...extensions.map(([type, body]) => joinBytes(number(2, type), vector(2, body))));
}

/** Handshake bytes in records of at most so many bytes. */
function records(handshake: Uint8Array, recordBytes = 16_384): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < handshake.length; start += recordBytes)
    parts.push(number(1, 22), number(2, 0x0303), vector(2, handshake.subarray(start, start + recordBytes)));
  return joinBytes(...parts);
}

export function clientHello(extensions: Extension[], recordBytes?: number): Uint8Array {
  const body = joinBytes(
    number(2, 0x0303),
    new Uint8Array(32),
    vector(1, new Uint8Array(32)),
    vector(2, number(2, 0x1301)),
    vector(1, number(1, 0)),
    extensionBytes(extensions),
  );
  return records(joinBytes(number(1, 1), vector(3, body)), recordBytes);
}

export function serverHello(extensions: Extension[], legacyVersion = 0x0303): Uint8Array {
  const body = joinBytes(
    number(2, legacyVersion),
    new Uint8Array(32),
    vector(1, new Uint8Array(32)),
    number(2, 0x1301),
    number(1, 0),
    extensionBytes(extensions),
  );
  return records(joinBytes(number(1, 2), vector(3, body)));
}
