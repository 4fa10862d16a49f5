import { describe, expect, it } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { awaitRun } from './support/await-run.ts';
import { evaluationOfTwo, startRun, useLaptop, type EvaluationInput } from './support/two-users.ts';

const laptop = useLaptop();
const evaluationWith = (change: Partial<EvaluationInput>) => evaluationOfTwo(laptop.origin.httpUrl, change);

describe('a Run', () => {
  it('waits for its turn while another is under way', async () => {
    const short = evaluationWith({
      scenarios: [{ name: 'as it is', baseline: true }],
      repetition: { rounds: 1, warmUp: false },
    });
    const first = await startRun(laptop.test, short);
    const second = await startRun(laptop.test, short);
    const [one, two] = await Promise.all([awaitRun(laptop.test.program, first), awaitRun(laptop.test.program, second)]);
    expect([one.state, two.state]).toEqual(['completed', 'completed']);
    expect(Date.parse(two.startedAt!)).toBeGreaterThanOrEqual(Date.parse(one.endedAt!));
  });

  it('loads each URL once unmeasured when it is warm, and leaves that load out of the comparison', async () => {
    laptop.origin.truth.clear();
    const run = await awaitRun(
      laptop.test.program,
      await startRun(
        laptop.test,
        evaluationWith({
          pageLoad: { restMs: 0, quietMs: 100, cache: 'warm', visitsPerUrl: 2 },
          scenarios: [{ name: 'warm', baseline: true }],
          repetition: { rounds: 1, warmUp: false },
        }),
      ),
    );
    const rows = (await (await laptop.test.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
      user_agent: string;
      repetition: number;
    }[];
    expect(rows.filter(({ user_agent }) => user_agent === 'alice').map(({ repetition }) => repetition)).toEqual([
      0, 1, 2, 0, 1, 2,
    ]);
    const comparison = ComparisonSchema.parse(
      await (await laptop.test.program(`/api/runs/${run.id}/comparison`)).json(),
    );
    expect(comparison.metrics[0]!.scenarios[0]!.visits).toBe(8);
    // Each of the three images came once for each user; afterwards it was in the cache.
    expect(laptop.origin.truth.requests().filter(({ counts }) => counts === 'viewport')).toHaveLength(2 * 3);
  });
});
