import { z } from 'zod';

/**
 * A duration in whole or fractional milliseconds. A text such as `30s` is refused with the value to write instead:
 * a unit that is guessed is a measurement that is wrong.
 */
export function durationMs(range: { min: number; max: number }) {
  return z
    .number({
      error: (issue) =>
        `must be a number of milliseconds without a unit, not ${shown(issue.input)}${suggestion(issue.input)}`,
    })
    .min(range.min, `must be at least ${range.min} ms`)
    .max(range.max, `must be at most ${range.max} ms`);
}

/** A whole number within a range, both ends included. */
export function wholeNumber(range: { min: number; max: number }) {
  return z
    .number({ error: (issue) => `must be a whole number, not ${shown(issue.input)}` })
    .int('must be a whole number')
    .min(range.min, `must be at least ${range.min}`)
    .max(range.max, `must be at most ${range.max}`);
}

const msPerUnit = new Map(Object.entries({ ms: 1, s: 1000, sec: 1000, min: 60_000, m: 60_000, h: 3_600_000 }));

function suggestion(input: unknown): string {
  const match = typeof input === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(input) : null;
  const factor = msPerUnit.get(match?.[2]?.toLowerCase() ?? '');
  return match && factor ? ` (write ${Number(match[1]) * factor})` : '';
}

function shown(input: unknown): string {
  return input === undefined ? 'nothing' : JSON.stringify(input);
}
