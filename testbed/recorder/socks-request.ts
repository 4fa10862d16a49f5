import { once } from 'node:events';
import type { Socket } from 'node:net';
import { AppError } from '#core/app-error.ts';

/** SOCKS 5 without a password: https://www.rfc-editor.org/rfc/rfc1928 */
const version = 5;
const command = { connect: 1 };
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 };
const replies = { succeeded: 0, hostUnreachable: 4, commandNotSupported: 7 };

export interface SocksRequest {
  /** A name or an address, an IPv6 one without brackets. */
  host: string;
  port: number;
}

/** What a browser asks its SOCKS proxy for. Throws for anything else. */
export async function readSocksRequest(socket: Socket, signal: AbortSignal): Promise<SocksRequest> {
  const [greeted, methods] = await readBytes(socket, 2, signal);
  if (greeted !== version) throw refuse('speaks no SOCKS 5');
  await readBytes(socket, methods!, signal);
  socket.write(Buffer.from([version, 0]));
  const [, asked, , type] = await readBytes(socket, 4, signal);
  if (asked !== command.connect) {
    socket.end(writeReply(replies.commandNotSupported));
    throw refuse(`asks for the SOCKS command ${asked}`);
  }
  const host = await readHost(socket, type!, signal);
  return { host, port: (await readBytes(socket, 2, signal)).readUInt16BE() };
}

/** Says whether the connection is there. Without it, no more is sent. */
export function answerSocksRequest(socket: Socket, isConnected: boolean): void {
  if (isConnected) socket.write(writeReply(replies.succeeded));
  else socket.end(writeReply(replies.hostUnreachable));
}

/** Resolves with exactly so many bytes. */
export async function readBytes(socket: Socket, count: number, signal: AbortSignal): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0);
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes?.length === count) return bytes;
    if (bytes !== null || socket.readableEnded || socket.destroyed) throw refuse('ended its connection');
    await Promise.race([once(socket, 'readable', { signal }), once(socket, 'close', { signal })]);
  }
}

async function readHost(socket: Socket, type: number, signal: AbortSignal): Promise<string> {
  switch (type) {
    case addressTypes.ipv4:
      return (await readBytes(socket, 4, signal)).join('.');
    case addressTypes.ipv6: {
      const bytes = await readBytes(socket, 16, signal);
      return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16)).join(':');
    }
    case addressTypes.name: {
      const [length] = await readBytes(socket, 1, signal);
      return (await readBytes(socket, length!, signal)).toString('latin1');
    }
    default:
      throw refuse(`sends the SOCKS address type ${type}`);
  }
}

function writeReply(code: number): Buffer {
  return Buffer.from([version, code, 0, addressTypes.ipv4, 0, 0, 0, 0, 0, 0]);
}

function refuse(what: string): AppError {
  return new AppError('invalid-input', `A client of the recorder ${what}: only the browser of the recording uses it`);
}
