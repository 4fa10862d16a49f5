import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { startTestController, type TestController } from '../../support/controller.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const folderOfExamples = path.resolve(import.meta.dirname, '../../../examples/analysis');

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // that is the answer
  }
}

describe('the examples of an analysis of one’s own', () => {
  let controller: TestController;
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let file: string;
  let reduction: { ratio: number; low: number; high: number };

  beforeAll(async () => {
    controller = await startTestController();
    folder = await makeTemporaryFolder();
    const { runId, visits } = await storeCompletedRun(controller.controller.pool, {
      evaluation: makeEvaluation({ repetition: { order: 'random-blocks', rounds: 12, warmUp: true, attempts: 1 } }),
      totalMsOf: ({ block, scenario, userAgent, url }) =>
        block === 4 && userAgent === 'bob' && url.endsWith('2')
          ? null
          : (scenario === 'proxy' ? 800 : 1000) + 90 * Math.sin(block * (scenario.length + url.length)),
    });
    await controller.program(`/api/runs/${runId}/exclusions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ visitIds: [visits.at(-1)!.id], reason: 'The door was open, "wide"' }),
    });
    file = path.join(folder.path, 'visits.csv');
    await writeFile(file, await (await controller.program(`/api/runs/${runId}/visits?format=csv`)).text());
    const comparison = ComparisonSchema.parse(await (await controller.program(`/api/runs/${runId}/comparison`)).json());
    const found = comparison.metrics
      .find(({ metric }) => metric === 'totalMs')!
      .scenarios.find(({ scenario }) => scenario === 'proxy')!.reduction!;
    reduction = { ratio: found.ratio, low: found.low!, high: found.high! };
  });

  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  async function analyse(program: string, script: string) {
    const { stdout } = await promisify(execFile)(program, [path.join(folderOfExamples, script), file, 'direct']);
    const [, ratio, low, high] =
      /^proxy: reduction (-?[\d.]+) \(95 % interval (-?[\d.]+) to (-?[\d.]+)\), 12 Blocks, \d\.\d % of Visits failed$/m
        .exec(stdout)!
        .map(Number);
    return { ratio: ratio!, low: low!, high: high! };
  }

  it.skipIf(!isThere('Rscript'))('R comes to the reduction and the interval of the report', async () => {
    const found = await analyse('Rscript', 'compare.R');
    for (const figure of ['ratio', 'low', 'high'] as const)
      expect(Math.abs(found[figure] - reduction[figure])).toBeLessThan(0.0001);
  });

  it.skipIf(!isThere('python3'))(
    'Python comes to the reduction of the report, in an interval that holds it',
    async () => {
      const found = await analyse('python3', 'compare.py');
      expect(Math.abs(found.ratio - reduction.ratio)).toBeLessThan(0.0001);
      expect(found.low).toBeLessThan(found.ratio);
      expect(found.high).toBeGreaterThan(found.ratio);
      expect(found.high - found.low).toBeLessThan(reduction.high - reduction.low);
    },
  );
});
