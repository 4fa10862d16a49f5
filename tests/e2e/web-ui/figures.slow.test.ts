import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { expectAlike } from './support/expect-alike.ts';
import { chooseExport } from './support/choose-export.ts';

const ui = useWebUi();
let runId: string;
beforeAll(async () => {
  const evaluation = EvaluationSchema.parse({
    name: 'Compositions',
    urlLists: {
      pages: [500, 1500, 2500].flatMap((pageKB) =>
        [5, 20, 100].map((objectKB) => ({
          url: `http://origin.test/page/${pageKB / objectKB}x${objectKB}`,
          variables: { objects: pageKB / objectKB, pageKB, objectKB },
        })),
      ),
    },
    userAgents: [
      { name: 'gold user', userClass: 'gold' },
      { name: 'bronze user', userClass: 'bronze' },
    ].map((userAgent) => ({ ...userAgent, host: 'laptop', urlList: 'pages' })),
    scenarios: [{ name: 'http', baseline: true }, { name: 'h2' }],
    repetition: { rounds: 4 },
    figures: [
      { title: 'Latency of each user', x: 'objects', series: 'userAgent', panels: ['scenario', 'pageKB'] },
      { y: 'objectCount', kind: 'bars', x: 'pageKB', series: ['scenario'], panels: [] },
    ],
  });
  const stored = await storeCompletedRun(ui.controller.database.pool, {
    evaluation,
    totalMsOf: ({ scenario, userAgent, url, block }) => {
      const [, count, bytes] = /(\d+)x(\d+)$/.exec(url)!;
      const transfer = Number(count) * Number(bytes) * (userAgent === 'gold user' ? 1 : 1.8);
      return 700 + transfer + (scenario === 'http' ? 120 : 5) * Number(count) + 37 * ((block * 5 + Number(count)) % 4);
    },
  });
  runId = stored.runId;
});

const place = (search: string) => ({ path: `/runs/${runId}/comparison${search}` });

test('a report opens with the first declared figure: a line for each user, a panel for each Scenario and size', async () => {
  const page = await ui.open(place(''));
  const figures = page.getByRole('figure', { name: /^Latency of each user: / });
  await figures.nth(5).waitFor();
  await expect.poll(() => figures.count()).toBe(6);
  await figures.first().getByRole('button', { name: 'Data' }).click();
  const rows = await figures.first().getByRole('row').allInnerTexts();
  expect(rows.length).toBe(7);
  expect(rows[1]).toMatch(/^gold user/);
  expect(rows[4]).toMatch(/^bronze user/);
});

test('another figure is chosen in few steps, and its address shows it again', async () => {
  const page = await ui.open(place(''));
  await page.getByLabel('Declared figure').selectOption('Objects by pageKB');
  await page.getByRole('figure', { name: /^Objects by pageKB/ }).waitFor();
  expect(new URL(page.url()).search).toBe('?figure=2');

  await page.getByRole('button', { name: 'Change figure' }).click();
  await page.getByRole('combobox', { name: 'Metric' }).selectOption('Base page latency');
  await page.getByLabel('As', { exact: true }).selectOption('lines');
  await page.getByLabel('By', { exact: true }).selectOption('objects');
  await page.getByLabel('log x').check();
  await page.getByRole('figure', { name: /^Base page latency by objects/ }).waitFor();
  const address = page.url();
  expect(new URL(address).searchParams.get('figure.y')).toBe('baseMs');

  const again = await page.context().newPage();
  await again.goto(address);
  await again.getByRole('figure', { name: /^Base page latency by objects/ }).waitFor();
  expect(await again.getByLabel('log x').isChecked()).toBe(true);
  await again.getByLabel('Declared figure').selectOption('Latency of each user');
  await again
    .getByRole('figure', { name: /^Latency of each user: / })
    .first()
    .waitFor();
});

test.for([
  [
    'lines on logarithmic axes',
    'figure.x=objects&figure.series=scenario,pageKB&figure.panels=&figure.logX=&figure.logY=',
  ],
  ['grouped bars', 'figure.kind=bars&figure.x=pageKB&figure.series=scenario&figure.panels=userAgent'],
  ['a scatter with its lines', 'figure.kind=scatter&figure.x=objectKB&figure.series=scenario&figure.panels='],
  ['distributions', 'figure.kind=distribution&figure.series=scenario&figure.panels='],
  ['reductions', 'figure.statistic=reduction&figure.x=objects&figure.series=pageKB&figure.panels='],
  ['pages by name', 'figure.x=page&figure.series=scenario&figure.panels=&figure.statistic=max'],
])('%s are the same picture as SVG and as PNG', async ([, search]) => {
  const page = await ui.open(place(`?${search}`));
  page.setDefaultTimeout(90_000);
  const section = page
    .getByRole('region')
    .filter({ has: page.getByRole('button', { name: /^(Change figure|Hide choices)$/ }) });
  await section
    .getByRole('img', { name: /^Chart of/ })
    .first()
    .waitFor();
  expect((await expectAlike(page, section)).length).toBeGreaterThanOrEqual(1);
});

test('a saved report has the figures, lets choose others, and offers them as files', async () => {
  await using folder = await makeTemporaryFolder();
  const page = await ui.open(place(''));
  const download = page.waitForEvent('download');
  await chooseExport(page, 'Report as HTML');
  const file = path.join(folder.path, 'report.html');
  await (await download).saveAs(file);
  expect((await readFile(file)).length).toBeLessThan(20e6);
  const report = await page.context().newPage();
  await report.goto(`file://${file}`);
  await report
    .getByRole('figure', { name: /^Latency of each user: / })
    .first()
    .waitFor();
  await report.getByRole('button', { name: 'Change figure' }).click();
  await report.getByRole('combobox', { name: 'Metric' }).selectOption('Decoded');
  await report
    .getByRole('figure', { name: /^Decoded by objects/ })
    .first()
    .waitFor();

  const offered = await report.evaluate('httpAeFigures.ofReport()');
  const files = offered as { name: string; title: string; svg: string; csv: string; caption: string }[];
  expect(files).toHaveLength(7);
  expect(files[6]).toMatchObject({ name: 'objects-by-pagekb-with-95-intervals' });
  for (const { title, svg, csv, caption } of files) {
    expect(caption).toContain(`${title}. n = 4 Rounds of each Scenario, `);
    expect(svg).toMatch(/^<svg /);
    expect(svg).not.toMatch(/NaN|Infinity|"undefined"/);
    expect(csv.split('\r\n').length).toBeGreaterThan(4);
  }

  const drawn = await report.evaluate(`(async () => {
    const { measurements, draw } = httpAeFigures;
    const [{ name }] = measurements.design.scenarios;
    const choice = { title: 'Beside a paper', kind: 'line', statistic: 'mean', y: 'totalMs', x: 'objects', series: ['scenario'], logX: true, logY: false };
    const paper = [{ source: 'A paper, figure 1', scenario: name, points: [[5, 1000], [20, 12345]] }];
    return { name, files: await draw({ measurements, choice, paper }) };
  })()`);
  const beside = drawn as { name: string; files: { svg: string; csv: string }[] };
  expect(beside.files[0]!.svg).toContain(`${beside.name}, paper`);
  expect(beside.files[0]!.csv).toContain(`"${beside.name}, paper",20,12345`);
});

/** What was written from below to above on a canvas, and where, as parts of its height. */
interface TurnedText {
  figure: string;
  text: string;
  top: number;
  bottom: number;
}

test.for([1280, 390])(
  'at %d px, titles of axes below each other cover neither each other nor an edge',
  async (width) => {
    const page = await ui.open({ path: '/runs' });
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(() => {
      const turned: TurnedText[] = [];
      Object.assign(globalThis, { turned });
      const { prototype } = CanvasRenderingContext2D;
      type Write = (this: CanvasRenderingContext2D, ...given: [string, number, number, number?]) => void;
      const fillText = Object.getOwnPropertyDescriptor(prototype, 'fillText')!.value as Write;
      prototype.fillText = function (text, ...place) {
        fillText.call(this, text, ...place);
        const { b, d, f } = this.getTransform();
        if (b === 0) return;
        const half = (this.measureText(text).width * Math.hypot(b, d)) / 2;
        const { height, ariaLabel } = this.canvas;
        turned.push({ figure: ariaLabel ?? '', text, top: (f - half) / height, bottom: (f + half) / height });
      };
    });
    await page.goto(
      `${ui.controller.controller.url}${place('?figure.x=objects&figure.series=scenario&figure.panels=').path}`,
    );
    await page
      .getByRole('img', { name: /^Chart of Total page load latency by objects/ })
      .first()
      .waitFor();
    const read = () => page.evaluate(() => (globalThis as unknown as { turned: TurnedText[] }).turned);
    await expect.poll(async () => (await read()).some(({ text }) => text.startsWith('Reduction'))).toBe(true);
    for (const own of Map.groupBy(await read(), ({ figure }) => figure).values()) {
      expect(own.filter(({ top, bottom }) => top < 0 || bottom > 1)).toEqual([]);
      const upper = own.filter(({ text }) => !/^(Reduction|%)/.test(text));
      const lower = own.filter(({ text }) => text.startsWith('Reduction'));
      if (lower.length > 0)
        expect(Math.max(...upper.map(({ bottom }) => bottom))).toBeLessThan(Math.min(...lower.map(({ top }) => top)));
    }
  },
);
