import { z } from 'zod';

/** What the marks and measures of a task are called: https://w3c.github.io/user-timing/ */
export const taskMarks = {
  begin: 'http-ae-begin',
  end: 'http-ae-end',
  /** Its detail says what is wrong. */
  failed: 'http-ae-failed',
  /** A measure: from the sending of a message to its receipt. */
  message: 'http-ae-message',
  /** One for each message that did not come. */
  lost: 'http-ae-lost',
  /** Its detail is the latency in ms from which on a message is late. */
  lateAfter: 'http-ae-late-after',
  /** Its detail is how many bytes all messages took. */
  bytes: 'http-ae-bytes',
} as const;

export const longestMarkName = 256;

const prefix = 'performance mark ';

/** What a Visit waits for before the page may settle: a User Timing mark of the page. */
export const UntilSchema = z
  .string()
  .max(prefix.length + longestMarkName, `must name a mark of at most ${longestMarkName} characters`)
  .regex(
    /^performance mark \S/,
    `must be "${prefix}" and the name of a User Timing mark, such as "${prefix}${taskMarks.end}"`,
  );

export const MarkNameSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(longestMarkName, `must have at most ${longestMarkName} characters`);

export function markOf(until: string): string {
  return until.slice(prefix.length);
}

export const untilTaskEnds = `${prefix}${taskMarks.end}`;
