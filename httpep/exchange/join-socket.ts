import type { Duplex, Writable } from 'node:stream';
import { encodeRecord, recordTypes, type ExchangeRecord } from './read-records.ts';

interface Line {
  stream: Duplex;
  /** What comes by the stream. */
  records: AsyncIterator<ExchangeRecord>;
}

/** Passes bytes both ways between a socket and a stream, until both directions have ended or one end broke off. */
export async function joinSocket(socket: Duplex, { stream, records }: Line): Promise<void> {
  socket.on('error', () => stream.destroy());
  stream.on('error', () => socket.destroy());
  socket.once('close', () => {
    if (!stream.readableEnded) stream.destroy();
  });
  stream.once('close', () => {
    if (!socket.writableEnded) socket.destroy();
  });
  await Promise.all([sendOn(socket, stream), receive(socket, records)]);
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

async function receive(socket: Duplex, records: AsyncIterator<ExchangeRecord>): Promise<void> {
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      if (next.value.type === recordTypes.abort) throw new Error('broken off');
      if (next.value.type === recordTypes.body) await writeOrWait(socket, next.value.bytes);
    }
    socket.end();
  } catch {
    socket.destroy();
  }
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
