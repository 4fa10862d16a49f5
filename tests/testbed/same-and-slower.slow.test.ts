import { expect, it } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** Without a rate, so that the check before each Round need not load it. */
const linkOf = (delayMs: number) => ({
  forward: { rateKbps: 'unlimited' as const, delayMs },
  return: { rateKbps: 'unlimited' as const, delayMs },
});

/**
 * What a user waits for here is round trips, so that each object comes 10 % later when the link is 10 % longer. Round trips are on one side of 250 ms, and the page needs one connection
 * only: Chromium opens a second one when the first is not there after 250 ms, with which a page of two images is faster over a longer link.
 * A Scenario differs from itself by chance only: a p below 1 in 10 million is asserted not to be, on any machine. All else is judged on a quiet one, and only of a Run that has measured
 * until all three means are exact to 1 %: noise costs time and not truth. That a mean is off by 5 % although all seem that exact has a probability below 2 in 100 million, for Visits of
 * any standard deviation, which is worst at 2.4 %: chances of each number of Rounds from 5 to 25, added.
 */
it(
  'finds no difference between a Scenario and itself, and finds objects that come 10 % later',
  { timeout: 1_800_000 },
  async (context) => {
    await using overLink = await joinOverLink();
    const evaluation = {
      name: 'The same, and slower',
      urlLists: { pages: [`${overLink.origin.httpUrl}/images/1`] },
      userAgents: [{ name: 'alice', host: 'remote', urlList: 'pages' }],
      scenarios: [
        { name: 'link', baseline: true, network: { link: linkOf(280) } },
        { name: 'the same link', network: { link: linkOf(280) } },
        { name: 'a longer link', network: { link: linkOf(308) } },
      ],
      pageLoad: { restMs: 0, quietMs: 100 },
      // On a busy machine it takes more Rounds.
      repetition: { adaptive: { target: { halfWidthRatio: 0.01 }, maxRounds: 25 }, warmUp: false, attempts: 5 },
    };
    const stopReasons: (string | null | undefined)[] = [];
    const areMeansExact = () => stopReasons.at(-1) === 'target';
    await judgeTime(context, {
      measure: async (begin) => {
        const run = await overLink.run(evaluation, { seed: 7, begin });
        expectCompleted(run, { failedVisits: 0 });

        const comparison = ComparisonSchema.parse(
          await (await overLink.program(`/api/runs/${run.id}/comparison`)).json(),
        );
        expect(['target', 'max-rounds']).toContain(comparison.ending?.stopReason);
        stopReasons.push(comparison.ending?.stopReason);
        expect(run.roundsPlanned).toBe(3 * comparison.ending!.blocks);

        const reductionOf = (name: string) =>
          comparison.metrics
            .find(({ metric }) => metric === 'totalMs')!
            .scenarios.find(({ scenario }) => scenario === name)!.reduction!;
        const [same, slower] = [reductionOf('the same link'), reductionOf('a longer link')];
        expect(same.p).toBeGreaterThan(1e-7);
        return { same, slower };
      },
      holds: ({ same, slower }) => {
        if (!areMeansExact()) return;
        expect(Math.abs(same.ratio)).toBeLessThan(0.05);
        expect(slower.ratio).toBeGreaterThan(-0.15);
        expect(slower.ratio).toBeLessThan(-0.035);
        expect(slower.high).toBeLessThan(0);
      },
      // Browsers start in each Round.
      limits: { lateMs: 250 },
    });
    if (!areMeansExact()) context.skip('inconclusive: the means were not exact to 1 % after 25 Rounds');
  },
);
