import { expect, test } from 'vitest';
import { z } from 'zod';
import { ComparisonOutlineSchema } from '#core/comparison/comparison-outline.ts';
import { ExclusionSchema } from '#core/record/exclusion.ts';
import { postJson, startTestController } from '../../support/controller.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

/** Visits of the baseline that count, as the first answer of the report has them. */
async function countVisits(runId: string): Promise<number> {
  const outline = ComparisonOutlineSchema.parse(
    await (await it.program(`/api/runs/${runId}/comparison/outline`)).json(),
  );
  return outline.metrics[0]!.scenarios[0]!.visits;
}

/** A Visit of the baseline in the first Block that counts. */
async function findCounted(runId: string): Promise<string> {
  const rows = z
    .array(z.object({ visit_id: z.string(), warm_up: z.boolean(), scenario: z.string() }))
    .parse(await (await it.program(`/api/runs/${runId}/visits?format=json`)).json());
  return rows.find((row) => !row.warm_up && row.scenario === 'direct')!.visit_id;
}

const exclude = (runId: string, visitIds: string[], reason = 'The door was open') =>
  it.program(`/api/runs/${runId}/exclusions`, postJson({ visitIds, reason }));

test('a Visit is excluded for a reason, which the export and the list show, and counts again when that is reversed', async () => {
  const { runId } = await storeCompletedRun(it.controller.pool);
  const visitId = await findCounted(runId);
  const before = await countVisits(runId);

  const made = await exclude(runId, [visitId]);
  expect(made.status).toBe(201);
  const [exclusion] = z.array(ExclusionSchema).parse(await made.json());
  expect(exclusion).toMatchObject({
    visitId,
    block: 1,
    scenario: 'direct',
    reason: 'The door was open',
    excludedBy: 'API token "test"',
    reversal: null,
  });
  expect(await countVisits(runId)).toBe(before - 1);
  const exported = async () =>
    (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
      visit_id: string;
      excluded: boolean;
      exclusion_reason: string | null;
    }[];
  const rows = await exported();
  expect(rows.filter((row) => row.excluded)).toEqual([
    expect.objectContaining({ visit_id: visitId, exclusion_reason: 'The door was open' }),
  ]);

  const { browser } = await it.signIn();
  const reversal = await browser(`/api/exclusions/${exclusion!.id}?reason=It%20was%20shut`, { method: 'DELETE' });
  expect(ExclusionSchema.parse(await reversal.json()).reversal).toMatchObject({
    reason: 'It was shut',
    reversedBy: expect.stringContaining('with a one-time link') as string,
  });
  expect(await countVisits(runId)).toBe(before);
  const after = await exported();
  expect([after.length, after.filter((row) => row.excluded)]).toEqual([rows.length, []]);

  // Excluded once more, for another reason: all three stay on record.
  expect((await exclude(runId, [visitId], 'It was open after all')).status).toBe(201);
  const listed = z.array(ExclusionSchema).parse(await (await it.program(`/api/runs/${runId}/exclusions`)).json());
  expect(listed.map(({ reason, reversal: end }) => [reason, end?.reason ?? null])).toEqual([
    ['The door was open', 'It was shut'],
    ['It was open after all', null],
  ]);
  expect((await exported()).flatMap(({ exclusion_reason: reason }) => reason ?? [])).toEqual(['It was open after all']);
});

test('the report counts excluded Visits, and is another one after each change', async () => {
  const { runId } = await storeCompletedRun(it.controller.pool);
  const readReport = async () => (await it.program(`/api/runs/${runId}/comparison`)).text();
  const before = await readReport();
  const [exclusion] = z.array(ExclusionSchema).parse(await (await exclude(runId, [await findCounted(runId)])).json());
  expect(await readReport()).not.toBe(before);
  await it.program(`/api/exclusions/${exclusion!.id}?reason=no`, { method: 'DELETE' });
  expect(await readReport()).toContain('The door was open');
});

test('all Visits of a request are excluded or none, and each once', async () => {
  const { runId, visits } = await storeCompletedRun(it.controller.pool);
  const other = await storeCompletedRun(it.controller.pool);
  const [first, second] = visits.map(({ id }) => id);
  expect((await exclude(runId, [first!, other.visits[0]!.id])).status).toBe(404);
  const together = await Promise.all([exclude(runId, [first!]), exclude(runId, [first!])]);
  expect(together.map(({ status }) => status).sort()).toEqual([201, 409]);
  const again = await exclude(runId, [second!, first!]);
  expect([again.status, await again.json()]).toMatchObject([
    409,
    { code: 'conflict', message: expect.stringContaining(first!) as string },
  ]);
  expect(await (await it.program(`/api/runs/${runId}/exclusions`)).json()).toHaveLength(1);
});

test('an exclusion without a reason, or of what is not there, is refused with the field', async () => {
  const { runId, visits } = await storeCompletedRun(it.controller.pool);
  expect(await (await exclude(runId, [visits[0]!.id], '  ')).json()).toMatchObject({
    code: 'invalid-input',
    issues: [{ path: 'reason', message: 'must say why' }],
  });
  expect(await (await exclude(runId, [])).json()).toMatchObject({ issues: [{ path: 'visitIds' }] });
  expect((await exclude('999999', [visits[0]!.id])).status).toBe(404);
  expect((await it.program('/api/exclusions/999999?reason=x', { method: 'DELETE' })).status).toBe(404);
  const [exclusion] = z.array(ExclusionSchema).parse(await (await exclude(runId, [visits[0]!.id])).json());
  expect((await it.program(`/api/exclusions/${exclusion!.id}`, { method: 'DELETE' })).status).toBe(400);
  expect((await it.program(`/api/exclusions/${exclusion!.id}?reason=x`, { method: 'DELETE' })).status).toBe(200);
  expect((await it.program(`/api/exclusions/${exclusion!.id}?reason=x`, { method: 'DELETE' })).status).toBe(409);
});
