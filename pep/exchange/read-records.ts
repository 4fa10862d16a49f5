import type { Duplex } from 'node:stream';
import { RecordReader } from './record-reader.ts';
import type { ExchangeRecord } from './record.ts';

/** The records of a stream as they come. Throws what destroyed the stream, and `protocol` for what is no record. */
export async function* readRecords(stream: Duplex): AsyncGenerator<ExchangeRecord> {
  const reader = new RecordReader();
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield* reader.read(chunk as Buffer);
}
