import { expect, test } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** Nothing is lost, or sent twice: the queue holds both windows. While a lost segment is repaired, nobody's bytes keep the link busy. */
const way = { rateKbps: 1000, delayMs: 20, queueBytes: 100_000 };
const network = { link: { forward: way, return: way }, tcp: { remote: { receiveBufferBytes: 16_000 } } };

test(
  'what a user loses to the others is the time that their bytes kept the link busy',
  { timeout: 900_000 },
  async (context) => {
    await using overLink = await joinOverLink({ userCount: 2 });
    const names = ['alice', 'bob'];
    await judgeTime(context, {
      measure: async () => {
        const run = await overLink.run({
          name: 'Alone and together',
          urlLists: {
            alice: [`${overLink.origin.httpUrl}/page/1x100000`],
            bob: [`${overLink.origin.httpUrl}/page/1x300000`],
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
          repetition: { rounds: 4, warmUp: false, attempts: 5 },
        });
        // Of each Block a Round with two users, and two with one.
        expectCompleted(run, { visits: 4 * 4, failedVisits: 0 });
        const comparison = ComparisonSchema.parse(
          await (await overLink.program(`/api/runs/${run.id}/comparison`)).json(),
        );
        expect(comparison.scenarios).toEqual(['both']);
        expect(comparison.roundsCounted).toBe(4);
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
    });
  },
);
