import type { z } from 'zod';
import { describeIssues, formatPath } from '#core/input/describe-issues.ts';
import { findUnstorableText } from '#core/input/find-unstorable-text.ts';
import { refuseInput } from './invalid-input-error.ts';

/** Parses what a client sent, `what` names it. Throws InvalidInputError with every field that is wrong. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  { input, what }: { input: unknown; what: string },
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  const issues = parsed.success ? findUnstorableText(input) : describeIssues(parsed.error, { schema, input });
  if (parsed.success && issues.length === 0) return parsed.data;
  throw refuseInput(
    what,
    issues.map(({ path, message }) => ({ path: formatPath(path), line: null, message })),
  );
}
