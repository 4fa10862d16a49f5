import { beforeEach } from 'vitest';
import { limitVariable } from '#cli/test/time-limit.ts';

/** Skips the tests that have not begun when the time of `./http-ae test --within` is over. */
const untilEpochMs = Number(process.env[limitVariable] ?? Infinity);

beforeEach(({ skip }) => {
  skip(Date.now() > untilEpochMs, 'no time is left (--within)');
});
