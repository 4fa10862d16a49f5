import { expect, test } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** Nothing is lost or sent twice: the queue holds both windows, for 130 ms. At half the rate, TCP's timer of 240 ms would end before answers come, and the link would be idle then. */
const way = { rateKbps: 2000, delayMs: 20, queueBytes: 100_000 };
const network = { link: { forward: way, return: way }, tcp: { remote: { receiveBufferBytes: 16_000 } } };

test(
  'what a user loses to the others is the time that their bytes kept the link busy',
  { timeout: 900_000 },
  async (context) => {
    await using overLink = await joinOverLink({ userCount: 2 });
    const names = ['alice', 'bob'];
    await judgeTime(context, {
      measure: async (begin) => {
        const run = await overLink.run(
          {
            name: 'Alone and together',
            urlLists: {
              alice: [`${overLink.origin.httpUrl}/page/1x200000`],
              bob: [`${overLink.origin.httpUrl}/page/1x600000`],
            },
            userAgents: names.map((name, index) => ({
              name,
              host: `user${index + 1}`,
              engine: 'http',
              urlList: name,
              sourceAddress: `198.19.1.${index + 1}`,
              interface: 'link0',
            })),
            scenarios: [
              { name: 'both', baseline: true, network },
              ...names.map((name) => ({ name: `${name} alone`, network, userAgents: [name] })),
            ],
            pageLoad: { restMs: 0, quietMs: 100 },
            repetition: { rounds: 2, attempts: 5 },
          },
          { begin },
        );
        // Of the warm-up and each Block, a Round with two users, and two with one.
        expectCompleted(run, { visits: 3 * 4, failedVisits: 0 });
        const comparison = ComparisonSchema.parse(
          await (await overLink.program(`/api/runs/${run.id}/comparison`)).json(),
        );
        expect(comparison.scenarios).toEqual(['both']);
        expect(comparison.roundsCounted).toBe(2);
        const { harm, delays } = comparison;
        if (!harm || delays?.kind !== 'measured') throw new Error('Nothing is known of harm');
        return { harm, delays };
      },
      holds: ({ harm, delays }) => {
        for (const { userAgent, slowDown } of harm.scenarios[0]!.users) {
          const { by } = delays.scenarios[0]!.users.find((row) => row.userAgent === userAgent)!;
          const byOthers = by
            .filter((each) => each.userAgent !== userAgent)
            .reduce((sum, each) => sum + each.estimate.mean, 0);
          expect(byOthers).toBeGreaterThan(500);
          expect(
            Math.abs(byOthers / slowDown.value - 1),
            `${userAgent}: ${byOthers} of ${slowDown.value} ms`,
          ).toBeLessThan(0.1);
        }
      },
      // Of the Controller: a tenth is 80 ms, and all else has processes of its own.
      limits: { lateMs: 250 },
    });
  },
);

test('where the link is idle as lost segments are sent again, that is a part of its own', async () => {
  await using overLink = await joinOverLink({ userCount: 1 });
  const far = { rateKbps: 5000, delayMs: 100, queueBytes: 500_000 };
  const run = await overLink.run({
    name: 'Losses',
    urlLists: { pages: [`${overLink.origin.httpUrl}/page/1x300000`] },
    userAgents: [
      {
        name: 'alice',
        host: 'user1',
        engine: 'http',
        urlList: 'pages',
        sourceAddress: '198.19.1.1',
        interface: 'link0',
      },
    ],
    scenarios: [
      { name: 'no loss', baseline: true, network: { link: { forward: far, return: far } } },
      { name: 'loss', network: { link: { forward: { ...far, lossRatio: 0.02 }, return: far } } },
    ],
    pageLoad: { restMs: 0, quietMs: 100 },
    repetition: { rounds: 4, warmUp: false, attempts: 5 },
  });
  expectCompleted(run, { visits: 8, failedVisits: 0 });
  const { delays } = ComparisonSchema.parse(await (await overLink.program(`/api/runs/${run.id}/comparison`)).json());
  if (delays?.kind !== 'measured') throw new Error('Nothing is known of the link');
  const [without, lossy] = delays.scenarios.map(({ link }) => link);
  expect(without!.repairs!.mean).toBeLessThan(5);
  // Some 17 of 850 segments are lost, and none in a run of 10^7. Most cost a round trip of 200 ms.
  expect(lossy!.repairs!.mean).toBeGreaterThan(20);
  expect(Math.abs(lossy!.own.mean / without!.own.mean - 1)).toBeLessThan(0.1);
});
