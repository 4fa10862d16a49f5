import { expect, it } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** Without a rate, so that the check before each Round need not load it. */
const linkOf = (delayMs: number) => ({
  forward: { rateKbps: 'unlimited' as const, delayMs },
  return: { rateKbps: 'unlimited' as const, delayMs },
});

/**
 * What a user waits for here is round trips, so that each object comes 10 % later when the link is 10 % longer. Round trips are on one side of 250 ms, and the page needs one connection
 * only: Chromium opens a second one when the first is not there after 250 ms, with which a page of two images is faster over a longer link.
 * At 5 % a test would call what is the same different in 1 of 20 Runs: the sameness is asserted by the size of the difference, which is 3 to 4 standard errors of a busy machine, and by
 * an α of 1 in 10,000. The Run measures until its means are exact, so that noise costs time and not truth.
 */
it(
  'finds no difference between a Scenario and itself, and finds objects that come 10 % later',
  { timeout: 600_000 },
  async () => {
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
      repetition: { adaptive: { target: { halfWidthRatio: 0.03 }, maxRounds: 10 }, warmUp: false, attempts: 5 },
    };
    const run = await overLink.run(evaluation, { seed: 7 });
    expectCompleted(run, { failedVisits: 0 });

    const comparison = ComparisonSchema.parse(await (await overLink.program(`/api/runs/${run.id}/comparison`)).json());
    expect(['target', 'max-rounds']).toContain(comparison.ending?.stopReason);
    expect(run.roundsPlanned).toBe(3 * comparison.ending!.blocks);

    const reductionOf = (name: string) =>
      comparison.metrics
        .find(({ metric }) => metric === 'totalMs')!
        .scenarios.find(({ scenario }) => scenario === name)!.reduction!;
    const [same, slower] = [reductionOf('the same link'), reductionOf('a longer link')];
    expect(Math.abs(same.ratio)).toBeLessThan(0.05);
    expect(same.p).toBeGreaterThan(0.0001);
    expect(slower.ratio).toBeGreaterThan(-0.15);
    expect(slower.ratio).toBeLessThan(-0.035);
    expect(slower.high).toBeLessThan(0);
  },
);
