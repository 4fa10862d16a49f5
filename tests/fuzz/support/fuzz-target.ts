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

/** What comes as a message or is typed. */
export const textTargets = ['messages', 'evaluations', 'patterns', 'http-heads'] as const;
/** What comes as a file, or is stored. */
export const fileTargets = ['bundles', 'archives', 'columns', 'traces', 'sites'] as const;
/** What comes as a page. */
export const pageTargets = ['page-objects'] as const;
export const targetNames = [...textTargets, ...fileTargets, ...pageTargets];
export type TargetName = (typeof targetNames)[number];
