import { expect, test } from 'vitest';
import { RunDetailSchema, applyRunChange, findRunChange, type RunDetail } from '#core/protocol/api/run.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { samplePass, sampleRound } from '#tests/support/sample-run.ts';

const passIds = ['a3d1a5c6-7e2b-4c58-9f0e-2b1f6f3c9a01', 'a3d1a5c6-7e2b-4c58-9f0e-2b1f6f3c9a02'];
const pass = (index: number, visitsMade: number) =>
  samplePass({ id: passIds[index]!, userAgent: `user ${index}`, visitsMade });
const round = (id: string, state: 'running' | 'completed', made: number[]) =>
  sampleRound({ id, index: Number(id), state, passes: made.map((visitsMade, index) => pass(index, visitsMade)) });
const run = (visits: number, rounds: ReturnType<typeof round>[]): RunDetail =>
  RunDetailSchema.parse({
    id: '1',
    evaluationId: '1',
    evaluationName: 'Two users',
    changedFromRun: null,
    state: 'running',
    problem: null,
    pausedAt: null,
    pausedMs: 0,
    createdAt: '2026-11-26T20:00:00.000Z',
    startedAt: '2026-11-26T20:00:00.000Z',
    endedAt: null,
    roundsPlanned: 2,
    roundsCompleted: 0,
    visits,
    failedVisits: 0,
    seed: 1,
    evaluation: makeEvaluation(),
    plan: [],
    rounds,
    scripts: [],
    missingAgents: [],
    tags: [],
    note: '',
  });

test('a change has what differs alone, and gives the Run as it is now', () => {
  const first = run(0, [round('0', 'running', [1, 2])]);
  const second = run(0, [round('0', 'running', [1, 3])]);
  const third = run(6, [round('0', 'completed', []), round('1', 'running', [0, 0])]);

  const change = findRunChange(first, second);
  expect(change).toMatchObject({ run: {}, rounds: [], passes: [{ id: passIds[1], visitsMade: 3 }] });
  expect(change.passes).toHaveLength(1);
  expect(applyRunChange(first, change)).toEqual(second);

  const next = findRunChange(second, third);
  expect(next).toMatchObject({ run: { visits: 6 }, rounds: [{ id: '0' }, { id: '1' }], passes: [] });
  expect(next.run).toEqual({ visits: 6 });
  expect(applyRunChange(second, next)).toEqual(third);
  expect(findRunChange(third, third)).toEqual({ run: {}, rounds: [], passes: [] });
});
