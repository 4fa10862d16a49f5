import type fc from 'fast-check';
import type { z } from 'zod';

/** Something that reads what others wrote. Its inputs are JSON, so that each can be kept as a line of text. */
export interface FuzzTarget<Input> {
  /** What an input must be. A mutation that leaves it is thrown away. */
  schema: z.ZodType<Input>;
  /** Makes inputs from nothing. */
  arbitrary: fc.Arbitrary<Input>;
  /**
   * Runs one input and throws where a promise is broken. Returns what it came to in a few words. New words count as new code:
   * much of what decides lies in libraries, whose coverage is not looked at.
   */
  run(input: Input): readonly string[] | Promise<readonly string[]>;
}

export const targetNames = [
  'messages',
  'evaluations',
  'patterns',
  'bundles',
  'archives',
  'columns',
  'http-heads',
  'traces',
  'sites',
] as const;
export type TargetName = (typeof targetNames)[number];
