/** What tests read the limit from (tests/support/skip-when-late.ts): ms since the epoch. */
export const limitVariable = 'HTTP_AE_TEST_UNTIL';

export interface TimeLimit {
  isOver(): boolean;
  /** For the processes of the tests. */
  environment: NodeJS.ProcessEnv;
}

/** The time after which no further test begins; none without a number of minutes. */
export function startTimeLimit(minutes: number | undefined): TimeLimit {
  if (minutes === undefined) return { isOver: () => false, environment: {} };
  const untilEpochMs = Date.now() + minutes * 60_000;
  return { isOver: () => Date.now() > untilEpochMs, environment: { [limitVariable]: String(untilEpochMs) } };
}
