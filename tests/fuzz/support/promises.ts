import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

/** Throws where a promise of the code is broken. */
export function must(isKept: boolean, promise: string): asserts isKept {
  if (!isKept) throw new Error(`Broken: ${promise}`);
}

/** By what JSON says of both. */
export function mustEqual(one: unknown, other: unknown, promise: string): void {
  const [oneText, otherText] = [JSON.stringify(one), JSON.stringify(other)];
  if (oneText !== otherText && !isDeepStrictEqual(JSON.parse(oneText), JSON.parse(otherText)))
    throw new Error(`Broken: ${promise}\n${oneText.slice(0, 2000)}\n${otherText.slice(0, 2000)}`);
}

/** Where and how a value does not fit its schema. Names stay: of those that are the input's own, the loop takes only so many. */
export function wordIssues(error: z.core.$ZodError | undefined): string[] {
  return (error?.issues ?? []).slice(0, 20).map(
    ({ code, path }) =>
      `${code} ${path
        .map((step) => (typeof step === 'number' ? '#' : String(step)))
        .slice(0, 6)
        .join('.')
        .slice(0, 60)}`,
  );
}
