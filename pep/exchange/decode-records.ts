import { BodyCoder } from './body-coder.ts';
import { AnswerSchema } from './heads.ts';
import { unpack } from './pack.ts';
import { recordTypes, type ExchangeRecord } from './record.ts';

/** The records of an answer with its body as the web server sent it. Throws what `records` throws, and for a body that cannot be unpacked. */
export async function* decodeRecords(records: AsyncIterable<ExchangeRecord>): AsyncGenerator<ExchangeRecord> {
  let coder: BodyCoder | null = null;
  try {
    for await (const record of records) {
      if (record.type === recordTypes.body && coder) {
        for await (const bytes of coder.put(record.bytes)) yield { type: recordTypes.body, bytes };
        continue;
      }
      if (record.type === recordTypes.trailers && coder) {
        for await (const bytes of coder.end()) yield { type: recordTypes.body, bytes };
        coder = null;
      }
      if (record.type === recordTypes.head) {
        const { coding } = unpack(record.bytes, AnswerSchema);
        if (coding !== undefined) coder = BodyCoder.decode(coding);
      }
      yield record;
    }
    if (coder) for await (const bytes of coder.end()) yield { type: recordTypes.body, bytes };
  } finally {
    coder?.[Symbol.dispose]();
  }
}
