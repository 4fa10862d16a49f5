import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import type { Cell, Comparison } from '#core/comparison/comparison.ts';
import { roundThroughputFigure } from '#web-ui/src/pages/comparison/figures/round-figures.ts';
import { boxFigure, ecdfFigure } from '#web-ui/src/pages/comparison/figures/url-figures.ts';
import { shareFigure } from '#web-ui/src/pages/comparison/figures/user-figures.ts';
import { gatherCaptionFacts, writeCaption, writeCitation } from '#web-ui/src/figures/write-caption.ts';

const facts = {
  evaluationName: 'Two protocols',
  runId: '7',
  seed: 42,
  isRandomOrder: true,
  rounds: { least: 20, most: 20 },
  visits: 120,
  confidence: 0.95,
  intervalConfidence: 0.95,
  links: ['Link: 256 kb/s, 300 ms, queue 19.2 kB each way.'],
  browsers: ['Chrome 156.0.8078.108'],
  version: '0.1.0',
};
const figure = { title: 'Load time by images' };

test('a caption has n, the link, the browser, the method, the seed and the version', () => {
  expect(writeCaption(figure, facts)).toBe(
    'Load time by images. n = 20 Rounds of each Scenario, 120 Visits in all, of Run 7 of “Two protocols”. Link: 256 kb/s, 300 ms, queue 19.2 kB each way. Loaded by Chrome 156.0.8078.108. Intervals are 95 % t intervals, over Rounds. Differences are paired by Block. The order of Scenarios is random, with seed 42. Measured with HTTP-AE 0.1.0.',
  );
});

test('a caption says where intervals were corrected for earlier looks', () => {
  expect(writeCaption(figure, { ...facts, intervalConfidence: 0.975, version: null })).toContain(
    '95 % t intervals, computed at 97.5 % to allow for a stop rule or added Rounds',
  );
});

test('a caption claims a random order only where the seed drew it', () => {
  const caption = writeCaption(figure, { ...facts, isRandomOrder: false });
  expect(caption).not.toContain('random');
  expect(caption).toContain('Seed 42.');
});

test('a caption of a figure without intervals has none, and says how n varies', () => {
  const caption = writeCaption({ ...figure, hasIntervals: false }, { ...facts, rounds: { least: 8, most: 10 } });
  expect(caption).not.toContain('nterval');
  expect(caption).toContain('n = 8 to 10 Rounds');
});

test('a caption of one Round says so in the singular', () => {
  expect(writeCaption(figure, { ...facts, rounds: { least: 1, most: 1 }, visits: 1 })).toContain(
    'n = 1 Round of each Scenario, 1 Visit in all, of Run 7',
  );
});

test('figures of one page or one Round have no intervals, and do not rest on the whole Run', () => {
  const cell = (scenario: string, failedVisits: number) =>
    ({ scenario, visits: 20, failedVisits, absentVisits: 0, leftOutVisits: 0, distribution: null }) as unknown as Cell;
  const options = { url: '/images/5', metricLabel: 'Total page load latency', styles: new Map() };
  const round = { way: 'received', title: 'direct, Block 3', colours: new Map(), capacityKbps: null } as const;
  const throughput = roundThroughputFigure([], round);
  const captions = [
    ...[boxFigure, ecdfFigure].map((draw) => draw([cell('direct', 0), cell('proxy', 2)], options)),
    throughput,
    shareFigure([], new Map()),
  ].map((each) => writeCaption(each, facts));
  expect(captions.filter((caption) => caption.includes('nterval'))).toEqual([]);
  expect(captions.map((caption) => /\. ([^.]*), of Run 7/.exec(caption)?.[1])).toEqual([
    'n = 18 to 20 Visits in each Scenario',
    'n = 18 to 20 Visits in each Scenario',
    'One Round',
    'n = 20 Rounds of each Scenario, 120 Visits in all',
  ]);
});

describe('the facts of a Run', () => {
  const conditionsOf = (scenarios: { scenario: string; group?: string; link?: string }[]) =>
    scenarios.map((each) => ({ isBaseline: false, description: '', differences: [], ...each }));
  const linksOf = (scenarios: Parameters<typeof conditionsOf>[0]) =>
    gatherCaptionFacts({ metrics: [], conditions: conditionsOf(scenarios) } as unknown as Comparison, null).links;

  test('have the link once where all Scenarios have it, and none where there is none', () => {
    expect(
      linksOf([
        { scenario: 'a', link: '1 Mb/s' },
        { scenario: 'b', link: '1 Mb/s' },
      ]),
    ).toEqual(['Link: 1 Mb/s.']);
    expect(linksOf([{ scenario: 'a' }])).toEqual([]);
  });

  test('name the groups that have a link, or the Scenarios', () => {
    const groups = ['no loss', 'loss'].map((group) => ({ group, link: `1 Mb/s, ${group}` }));
    expect(
      linksOf(
        groups.flatMap((group) => ['h2', 'h3'].map((name) => ({ scenario: `${name}, ${group.group}`, ...group }))),
      ),
    ).toEqual(['Link of “no loss”: 1 Mb/s, no loss.', 'Link of “loss”: 1 Mb/s, loss.']);
    expect(
      linksOf([
        { scenario: 'a', link: '1 Mb/s' },
        { scenario: 'b', link: '2 Mb/s' },
      ]),
    ).toEqual(['Link of “a”: 1 Mb/s.', 'Link of “b”: 2 Mb/s.']);
  });
});

test('the citation is that of CITATION.cff', async () => {
  const cff = parse(await readFile('CITATION.cff', 'utf8')) as {
    title: string;
    version: string;
    authors: { name: string }[];
  };
  expect(writeCitation(cff.version)).toBe(
    `@software{http-ae, author = {{${cff.authors[0]!.name}}}, title = {${cff.title}}, version = {${cff.version}}}`,
  );
});
