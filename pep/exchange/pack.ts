import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { z } from 'zod';
import { TunnelError } from '../tunnel/tunnel-error.ts';
import { dictionary } from './dictionary.ts';

/** What a packed head may become: more is no head. */
const maxHeadBytes = 512 * 1024;

/** JSON, compressed against the dictionary. */
export function pack(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value), { dictionary, level: 9 });
}

/** Throws `protocol` for what was not packed so, or does not fit the schema. */
export function unpack<Schema extends z.ZodType>(bytes: Buffer, schema: Schema): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(String(inflateRawSync(bytes, { dictionary, maxOutputLength: maxHeadBytes }))));
  } catch (error) {
    throw new TunnelError('protocol', 'The other end of the tunnel sent a head that cannot be read', { cause: error });
  }
}
