import { expect, test } from 'vitest';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { joinOverLink } from './support/join-over-link.ts';

const geo = { rateKbps: 2000, delayMs: 300 };
const scenario = (name: string) => ({
  name,
  network: { link: { forward: geo, return: geo } },
  browser: { trustedKeys: 'testbed' as const },
});
const imageCount = 10;

test(
  'where HTTPEP ends TLS, it fetches ahead what pages over HTTPS need, and the report says so',
  { timeout: 900_000 },
  async (context) => {
    await using overLink = await joinOverLink({ userCount: 1 });
    await judgeTime(context, {
      measure: async (begin) => {
        const run = await overLink.run(
          {
            name: 'HTTPS direct, through HTTPEP, and ended by it',
            urlLists: { pages: [`${overLink.origin.http2Url}/images/${imageCount}`] },
            userAgents: [{ name: 'alice', host: 'user1', urlList: 'pages' }],
            scenarios: [
              { ...scenario('direct'), baseline: true },
              { ...scenario('CONNECT'), httpep: {} },
              { ...scenario('TLS ended'), httpep: { tls: 'terminate' } },
            ],
            pageLoad: { restMs: 0 },
            repetition: { rounds: 1, warmUp: false, attempts: 3 },
          },
          { begin },
        );
        expectCompleted(run, { visits: 3, failedVisits: 0 });

        /** What an end of HTTPEP printed and counted. */
        const outputOf = (name: string, end: 'remote' | 'ground') => {
          const round = run.rounds.find((each) => each.scenario === name && each.state === 'completed')!;
          return run.scripts.find((each) => each.roundId === round.id && each.name === `HTTPEP, ${end} end`)!.output;
        };
        /** How many answers the remote end had before they were asked for. */
        const usedUnder = (name: string) =>
          outputOf(name, 'remote')
            .split('\n')
            .filter((line) => line.startsWith('{"end"'))
            .map((line) => JSON.parse(line) as { kind: string; used?: number })
            .filter(({ kind }) => kind === 'user')
            .reduce((sum, { used = 0 }) => sum + used, 0);
        expect(usedUnder('CONNECT')).toBe(0);
        const outputs = [outputOf('TLS ended', 'remote'), outputOf('TLS ended', 'ground')].join('\n');
        expect(usedUnder('TLS ended'), outputs).toBeGreaterThanOrEqual(imageCount);

        type Row = { scenario: string; total_ms: number; objects: number };
        const rows = (await (await overLink.program(`/api/runs/${run.id}/visits?format=json`)).json()) as Row[];
        const totalOf = (name: string) => rows.find((row) => row.scenario === name)!.total_ms;

        const comparison = ComparisonSchema.parse(
          await (await overLink.program(`/api/runs/${run.id}/comparison`)).json(),
        );
        expect(comparison.remarks.filter(({ about }) => about === 'ended-tls').map(({ text }) => text)).toEqual([
          expect.stringContaining('Under TLS ended, HTTPEP ends TLS'),
        ]);
        return totalOf('TLS ended') / totalOf('direct');
      },
      holds: (ratio) => expect(ratio).toBeLessThan(0.8),
      // Browsers start meanwhile.
      limits: { lateMs: 250 },
    });
  },
);
