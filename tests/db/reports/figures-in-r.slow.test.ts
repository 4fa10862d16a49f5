import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { arrangeFigure } from '#web-ui/src/figures/arrange-figure.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { MeasurementsSchema, type Measurements } from '#core/record/measurements.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { holdForAll } from '#tests/support/hold.ts';

const script = path.join(import.meta.dirname, 'support/figures.R');

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // that is the answer
  }
}

const it = holdForAll(() => startTestController());

/** A Run of four pages, as the report has it. In one Round a page was excluded. */
async function makeRun(): Promise<{ runId: string; measurements: Measurements }> {
  const userAgent = { host: 'laptop', urlList: 'pages' };
  const { runId } = await storeCompletedRun(it.database.pool, {
    evaluation: EvaluationSchema.parse({
      name: 'Figures',
      urlLists: { pages: [{ url: 'http://origin.test/images/{1,4,9,30}', variables: { images: '{1}' } }] },
      userAgents: [
        { name: 'alice', ...userAgent },
        { name: 'bob', ...userAgent },
      ],
      scenarios: [{ name: 'direct', baseline: true }, { name: 'proxy' }],
      repetition: { rounds: 6 },
    }),
    totalMsOf: ({ block, scenario, userAgent: user, url }) => {
      const images = Number(url.split('/').at(-1));
      return (scenario === 'proxy' ? 700 : 1000) + 33 * images + 90 * Math.sin(block * images + user.length);
    },
  });
  const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
    visit_id: string;
    block: number;
    scenario: string;
    url: string;
  }[];
  const excluded = rows.filter(({ block, scenario, url }) => block === 3 && scenario === 'proxy' && url.endsWith('/9'));
  expect(excluded).toHaveLength(2);
  const exclusion = { visitIds: excluded.map((row) => row.visit_id), reason: 'A person moved the laptop' };
  expect((await it.program(`/api/runs/${runId}/exclusions`, postJson(exclusion))).status).toBe(201);
  const answer = await it.program(`/api/runs/${runId}/measurements?measures=totalMs`);
  return { runId, measurements: MeasurementsSchema.parse(await answer.json()) };
}

const draw = (measurements: Measurements, choice: object) =>
  arrangeFigure(measurements, completeChoice(measurements.design, FigureChoiceSchema.parse(choice)));

/** `figure series x` → its numbers. */
type Numbers = Map<string, { value: number; low: number; high: number }>;

function numbersOf(measurements: Measurements): Numbers {
  const numbers: Numbers = new Map();
  for (const statistic of ['mean', 'reduction']) {
    const { panels } = draw(measurements, { statistic, x: 'images', series: 'scenario' });
    for (const { values, points } of panels[0]!.series)
      for (const { x, y, low, high } of points)
        numbers.set(`${statistic} ${values[0]} ${x}`, { value: y, low: low!, high: high! });
  }
  const scatter = draw(measurements, { kind: 'scatter', x: 'images', series: 'scenario' });
  for (const { values, fit } of scatter.panels[0]!.series) {
    const { slope, slopeHalfWidth } = fit!;
    numbers.set(`slope ${values[0]} 0`, { value: slope, low: slope - slopeHalfWidth!, high: slope + slopeHalfWidth! });
  }
  return numbers;
}

test.skipIf(!isThere('Rscript'))(
  'R comes to the means, reductions, intervals and lines of the figures, from the export',
  async () => {
    await using folder = await makeTemporaryFolder();
    const { runId, measurements } = await makeRun();
    const file = path.join(folder.path, 'visits.csv');
    await writeFile(file, await (await it.program(`/api/runs/${runId}/visits?format=csv`)).text());
    const { stdout } = await promisify(execFile)('Rscript', [script, file]);
    const found = new Map(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t'))
        .map(([figure, series, x, ...numbers]) => [`${figure} ${series} ${x}`, numbers.map(Number)]),
    );
    const ours = numbersOf(measurements);
    expect([...ours.keys()].sort()).toEqual([...found.keys()].sort());
    expect(ours.size).toBe(8 + 4 + 2);
    for (const [key, { value, low, high }] of ours)
      [value, low, high].forEach((number, index) =>
        expect(Math.abs(number / found.get(key)![index]! - 1), key).toBeLessThan(1e-6),
      );
  },
);
