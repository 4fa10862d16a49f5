import type { z } from 'zod';

/** What `stopPipe` makes of unknown keys: they are described like those that zod reports itself. */
export interface UnknownKeys {
  unknownKeys: string[];
}

/**
 * An issue of another schema, as a preprocess step reports it. It stops the step: zod continues after an issue that only lists unknown
 * keys, and would check the value that the step gave up.
 */
export function stopPipe(issue: z.core.$ZodIssue): z.core.$ZodRawIssue {
  if (issue.code !== 'unrecognized_keys') return { ...issue, input: undefined };
  const { path, message, keys } = issue;
  return { code: 'custom', path, message, input: undefined, params: { unknownKeys: keys } satisfies UnknownKeys };
}
