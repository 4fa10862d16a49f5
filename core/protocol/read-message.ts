import type { z } from 'zod';

/** What somebody sent over a line; null where it is no JSON, or no message of the protocol. */
export function readMessage<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  return schema.safeParse(json).data ?? null;
}
