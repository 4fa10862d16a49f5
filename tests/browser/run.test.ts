import { describe, expect, it } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { awaitRun } from './support/await-run.ts';
import { evaluationOfTwo, startRun, useLaptop, type EvaluationInput } from './support/two-users.ts';

const laptop = useLaptop();
const evaluationWith = (change: Partial<EvaluationInput>) => evaluationOfTwo(laptop.origin.httpUrl, change);

describe('a Run', () => {
  it('has every User Agent load every URL in every Round, at the same time, and compares what came out', async () => {
    laptop.origin.truth.clear();
    const evaluation = evaluationWith({});
    const runId = await startRun(laptop.test, evaluation, 7);
    const run = await awaitRun(laptop.test.program, runId);
    expect(run).toMatchObject({
      state: 'completed',
      problem: null,
      seed: 7,
      roundsPlanned: 4,
      roundsCompleted: 4,
      visits: 16,
      failedVisits: 0,
      missingAgents: [],
    });
    expect(run.rounds.map(({ block, scenario }) => ({ block, scenario }))).toEqual(
      expandEvaluation(run.evaluation, 7).map(({ block, scenario }) => ({ block, scenario })),
    );

    // Four Rounds of two users, each page once: what the origin saw is what was ordered.
    const pages = laptop.origin.truth.requests().filter((request) => request.counts === 'base');
    expect(pages).toHaveLength(16);
    for (const round of run.rounds) expect(round.startSkewMs).not.toBeNull();

    const comparison = ComparisonSchema.parse(
      await (await laptop.test.program(`/api/runs/${runId}/comparison`)).json(),
    );
    const total = comparison.metrics.find(({ metric }) => metric === 'totalMs')!;
    expect(total.scenarios).toEqual([
      expect.objectContaining({
        scenario: 'as it is',
        isBaseline: true,
        visits: 8,
        failedVisits: 0,
        absentVisits: 0,
        reduction: null,
      }),
      expect.objectContaining({
        scenario: 'also as it is',
        visits: 8,
        reduction: expect.objectContaining({ blocks: 2 }) as unknown,
      }),
    ]);
    expect(total.cells).toHaveLength(3 * 2 * 2);

    // The mean that the report shows is the mean of the rows that the export gives.
    const rows = (await (await laptop.test.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
      scenario: string;
      total_ms: number;
    }[];
    const own = rows.filter(({ scenario }) => scenario === 'as it is').map(({ total_ms }) => total_ms);
    expect(total.scenarios[0]!.estimate!.mean).toBeCloseTo(own.reduce((sum, value) => sum + value, 0) / own.length, 6);
  });

  it('takes a page that fails as a result', async () => {
    const run = await awaitRun(
      laptop.test.program,
      await startRun(
        laptop.test,
        evaluationWith({
          urlLists: { pages: [`${laptop.origin.httpUrl}/status/500`, `${laptop.origin.httpUrl}/images/1`] },
          scenarios: [{ name: 'as it is', baseline: true }],
          repetition: { rounds: 1, warmUp: false },
        }),
      ),
    );
    expect(run).toMatchObject({ state: 'completed', visits: 4, failedVisits: 2 });
    const rows = (await (await laptop.test.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
      url: string;
      status: string;
      code: string | null;
    }[];
    expect(new Set(rows.map(({ url, status, code }) => `${new URL(url).pathname} ${status} ${code}`))).toEqual(
      new Set(['/status/500 failed http-server-error', '/images/1 ok null']),
    );
  });
});
