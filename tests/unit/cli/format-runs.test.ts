import { expect, test } from 'vitest';
import { formatRuns } from '#cli/runs/list-runs.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';

const run: RunSummary = {
  id: '7',
  evaluationId: '1',
  evaluationName: 'Proxy or not',
  changedFromRun: null,
  state: 'completed',
  pausedAt: null,
  pausedMs: 0,
  problem: null,
  createdAt: '2026-11-26T10:00:00.000Z',
  startedAt: '2026-11-26T10:00:01.000Z',
  endedAt: '2026-11-26T10:09:00.000Z',
  roundsPlanned: 20,
  roundsCompleted: 20,
  visits: 120,
  failedVisits: 1,
  labels: {},
  snapshotsDeletedAt: null,
  visitsDeletedAt: null,
  waitsFor: [],
  tags: [],
  note: '',
  outcome: null,
};

test('a Run has its outcome and its labels on its line, and a dash where there are none', () => {
  const [, known, unknown] = formatRuns([
    {
      ...run,
      labels: { build: '1234' },
      outcome: { kind: 'none', text: 'only one Scenario' },
    },
    { ...run, state: 'running', pausedAt: '2026-11-26T10:05:00.000Z' },
  ]);
  expect(known).toMatch(
    /^Proxy or not +7 +completed +20\/20 +120 +1 +2026-11-26 10:00Z +only one Scenario \[build=1234\]$/,
  );
  expect(unknown).toMatch(/ paused .* 10:00Z +—$/);
  expect(formatRuns([])).toEqual(['No Runs']);
});
