import { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { encodeRecord, recordTypes, type ExchangeRecord } from './read-records.ts';

/** Where nothing was said for so long, the kernel asks for a sign of life: an end may be gone without a word. */
export const stillMs = 300_000;

interface Line {
  stream: Duplex;
  /** What comes by the stream. */
  records: AsyncIterator<ExchangeRecord>;
}

/** Passes bytes both ways between a socket and a stream, until both directions have ended or one end broke off: then both are. */
export async function joinSocket(socket: Duplex, { stream, records }: Line): Promise<void> {
  let hasReceived = false;
  // What came may not look whole. Where nothing did, there is nothing to know.
  const breakOff = () => (hasReceived ? resetSocket(socket) : socket.destroy());
  const receive = async () => {
    try {
      for (let next = await records.next(); !next.done; next = await records.next()) {
        if (next.value.type === recordTypes.abort) throw new Error('broken off');
        if (next.value.type !== recordTypes.body) continue;
        hasReceived = true;
        await writeOrWait(socket, next.value.bytes);
      }
      socket.end();
    } catch {
      breakOff();
    }
  };
  socket.on('error', () => stream.destroy());
  stream.on('error', breakOff);
  socket.once('close', () => {
    if (!stream.readableEnded) stream.destroy();
  });
  stream.once('close', () => {
    const isOver = stream.readableEnded && stream.writableFinished;
    if (!isOver && !socket.writableEnded) breakOff();
  });
  await Promise.all([sendOn(socket, stream), receive()]);
}

async function sendOn(socket: Duplex, stream: Duplex): Promise<void> {
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (stream.destroyed) return;
      await writeOrWait(stream, encodeRecord(recordTypes.body, chunk as Buffer));
    }
    stream.end();
  } catch {
    stream.destroy();
  }
}

/** Resolves when nothing passes by it any more. */
export async function untilClosed(socket: Duplex): Promise<void> {
  if (!socket.destroyed) await new Promise<void>((resolve) => void socket.once('close', resolve));
}

/** Writes, and resolves when more may be written: also when the writable was closed meanwhile. */
export async function writeOrWait(writable: Writable, bytes: Buffer): Promise<void> {
  if (writable.destroyed || writable.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      writable.off('drain', done);
      writable.off('close', done);
      resolve();
    };
    writable.on('drain', done);
    writable.on('close', done);
  });
}

/** Ends a connection so that its other end knows that not all was sent. TLS leaves its closing message out. */
export function resetSocket(socket: Duplex): void {
  if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}
