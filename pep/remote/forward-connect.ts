import type { Duplex } from 'node:stream';
import type { ConnectHead } from '../exchange/heads.ts';
import { joinSocket } from '../exchange/join-socket.ts';
import { pack } from '../exchange/pack.ts';
import { readRecords } from '../exchange/read-records.ts';
import { encodeRecord, recordTypes } from '../exchange/record.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';

/** The browser is answered at once, which saves it a round trip: a failure closes its connection. */
export function answerConnect(socket: Duplex): void {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
}

/** Opens a way to a host. */
export async function forwardConnect(
  socket: Duplex,
  { stream, head }: { stream: TunnelStream; head: ConnectHead },
): Promise<void> {
  stream.on('error', () => undefined);
  stream.write(encodeRecord(recordTypes.head, pack(head)));
  await joinSocket(socket, { stream, records: readRecords(stream) });
}

/** `HOST:PORT`, IPv6 in brackets; null for what is neither. */
export function readConnectTarget(target: string, user: string): ConnectHead | null {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]/@]+)):(\d{1,5})$/i.exec(target);
  const host = parts?.[1] ?? parts?.[2];
  const port = Number(parts?.[3]);
  return host === undefined || port < 1 || port > 65_535 ? null : { kind: 'connect', user, host, port };
}
