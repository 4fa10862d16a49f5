import { expect, it } from 'vitest';
import { compareRun } from '#controller/reports/compare-run.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { readExample } from '../support/read-example.ts';
import { judgeTime } from '../support/judge-time.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { holdForAll } from '#tests/support/hold.ts';

const overLink = holdForAll(joinOverLink);

/** Three times as long as a Run on a busy machine. */
const limitMs = 1_200_000;
/** They do in each Round. */
const browsersStart = { lateMs: 250 };
type VisitRow = {
  scenario: string;
  url: string;
  address: string;
  round_state: string;
  total_ms: number;
  received_bytes: number;
};
const readVisits = async ({ id }: { id: string }) =>
  ((await (await overLink.program(`/api/runs/${id}/visits?format=json`)).json()) as VisitRow[]).filter(
    ({ round_state }) => round_state === 'completed',
  );

/** The study takes an hour. Here its pages have 2 and 4 images, for which more connections and pipelining take fewer round trips too, and three of its Scenarios are run. */
const studied = ['1 connection', '4 connections', '1 connection, pipelined'];
it('Connections and pipelining: its Scenarios are measured over its link', { timeout: limitMs }, async (context) => {
  const example = readExample('connections-study.yaml', {
    'http://198.19.0.1:8080': overLink.origin.httpUrl,
    'images/{10,30}': 'images/{2,4}',
  });
  const measure = async () => {
    const run = await overLink.run({
      ...example,
      scenarios: example.scenarios.filter((scenario) => studied.includes(scenario.name)),
    });
    expectCompleted(run, { visits: 2 * studied.length, failedVisits: 0 });
    const visits = await readVisits(run);
    for (const { total_ms, received_bytes } of visits) {
      // A round trip each for the connection, the page and its images. All bytes follow the second, as images are requested while the page still arrives.
      expect(received_bytes).toBeGreaterThan(2000);
      expect(total_ms).toBeGreaterThan(0.99 * Math.max(3 * 600, 2 * 600 + (received_bytes * 8) / 1000));
    }
    return new Map(
      visits.filter(({ url }) => url.endsWith('/4')).map(({ scenario, total_ms }) => [scenario, total_ms]),
    );
  };
  await judgeTime(context, {
    measure,
    holds: (totals) => {
      expect(totals.get('1 connection')! - totals.get('4 connections')!).toBeGreaterThan(600);
      expect(totals.get('1 connection')! - totals.get('1 connection, pipelined')!).toBeGreaterThan(600);
    },
    limits: browsersStart,
  });
});

it(
  'Connections, by the rate of the link: each Scenario of the sweep has its link, its page has one key, and each rate its baseline',
  { timeout: limitMs },
  async (context) => {
    const example = readExample('connections-sweep.yaml', {
      'http://198.19.0.1:8080': overLink.origin.httpUrl,
      'images/{2,10}': 'images/4',
      '"{1} images"': '4 images',
      'images: "{1}"': 'images: 4',
    });
    const measure = async () => {
      const run = await overLink.run(example);
      expectCompleted(run, { visits: 4, failedVisits: 0 });
      const visits = await readVisits(run);
      expect(new Set(visits.map(({ url, address }) => `${url} ${address}`))).toEqual(
        new Set([`{origin}/images/4 ${overLink.origin.httpUrl}/images/4`]),
      );
      const comparison = await compareRun(overLink.pool, run.id);
      expect(comparison.groups).toEqual([
        {
          name: '256 kb/s',
          baseline: '1 connections at 256 kb/s',
          scenarios: ['1 connections at 256 kb/s', '4 connections at 256 kb/s'],
        },
        {
          name: '1000 kb/s',
          baseline: '1 connections at 1000 kb/s',
          scenarios: ['1 connections at 1000 kb/s', '4 connections at 1000 kb/s'],
        },
      ]);
      expect(run.rounds.filter(({ state }) => state === 'completed').every(({ linkCheck }) => linkCheck !== null)).toBe(
        true,
      );
      const reductions = comparison.metrics.find(({ metric }) => metric === 'totalMs')!.scenarios;
      return reductions.find(({ scenario }) => scenario === '4 connections at 1000 kb/s')!.reduction!.ratio;
    };
    await judgeTime(context, {
      measure,
      // Each image after the first takes a round trip on one connection.
      holds: (ratio) => expect(ratio).toBeGreaterThan(0.1),
      limits: browsersStart,
    });
  },
);
