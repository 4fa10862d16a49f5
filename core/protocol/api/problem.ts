import { z } from 'zod';

/** Every error answer of the API (RFC 9457 in spirit): what is wrong, where, and what to do. */
export const ProblemSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** For bad input: each field that is wrong. `line` counts from 1 and is there when the input was YAML. */
  issues: z.array(z.object({ path: z.string(), line: z.number().int().nullable(), message: z.string() })).default([]),
});
export type Problem = z.infer<typeof ProblemSchema>;
