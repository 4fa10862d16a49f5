import { expect, test } from 'vitest';
import { applyRunChange, findRunChange } from '#core/protocol/api/run.ts';
import { samplePass, sampleRound, sampleRun } from '#tests/support/sample-run.ts';

const passIds = ['a3d1a5c6-7e2b-4c58-9f0e-2b1f6f3c9a01', 'a3d1a5c6-7e2b-4c58-9f0e-2b1f6f3c9a02'];
const pass = (index: number, visitsMade: number) =>
  samplePass({ id: passIds[index]!, userAgent: `user ${index}`, visitsMade });
const round = (id: string, state: 'running' | 'completed', made: number[]) =>
  sampleRound({ id, index: Number(id), state, passes: made.map((visitsMade, index) => pass(index, visitsMade)) });
const run = (visits: number, rounds: ReturnType<typeof round>[]) => sampleRun({ visits, rounds });

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
