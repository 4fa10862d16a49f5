import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { joinOverLink } from './support/join-over-link.ts';

const geo = { rateKbps: 1000, delayMs: 300 };
const network = { link: { forward: geo, return: geo } };

async function listTemporary(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('http-ae-httpep-'));
}

test(
  'a Scenario with HTTPEP has both ends started, its users go through it, and nothing is left',
  { timeout: 900_000 },
  async (context) => {
    // What others beside it make is elsewhere.
    await using folder = await makeTemporaryFolder();
    vi.stubEnv('TMPDIR', folder.path);
    onTestFinished(() => void vi.unstubAllEnvs());
    await using overLink = await joinOverLink({ userCount: 2 });
    const before = await listTemporary();
    await judgeTime(context, {
      measure: async (begin) => {
        const run = await overLink.run(
          {
            name: 'Direct and HTTPEP',
            urlLists: { pages: [`${overLink.origin.httpUrl}/images/30`] },
            userAgents: ['gold', 'bronze'].map((userClass, index) => ({
              name: userClass,
              userClass,
              host: `user${index + 1}`,
              urlList: 'pages',
              sourceAddress: `198.19.1.${index + 1}`,
              interface: 'link0',
            })),
            scenarios: [
              { name: 'direct', baseline: true, network },
              { name: 'HTTPEP', network, httpep: { connections: 2, classes: { gold: 75, bronze: 25 } } },
            ],
            pageLoad: { restMs: 0 },
            repetition: { rounds: 1, warmUp: false, attempts: 3 },
          },
          { begin },
        );
        expectCompleted(run, { visits: 4, failedVisits: 0 });

        const round = run.rounds.find(({ scenario, state }) => scenario === 'HTTPEP' && state === 'completed')!;
        const ends = run.scripts.filter(({ roundId }) => roundId === round.id);
        expect(ends.map(({ phase, name, host, problem }) => ({ phase, name, host, problem }))).toEqual([
          { phase: 'process', name: 'HTTPEP, remote end', host: 'remote', problem: undefined },
          { phase: 'process', name: 'HTTPEP, ground end', host: 'ground', problem: undefined },
        ]);
        expect(ends[0]!.output).toContain('The tunnel stands');
        // Each user asked for a page with 30 images, and the icon of the site. Both ends counted them.
        const countsOf = (output: string) =>
          output
            .split('\n')
            .filter((line) => line.startsWith('{"end"'))
            .map((line) => JSON.parse(line) as Record<string, unknown>);
        for (const user of ['198.19.1.1', '198.19.1.2']) {
          const requests = countsOf(ends[0]!.output).find((row) => row.kind === 'user' && row.user === user)?.requests;
          expect(requests).toBeOneOf([31, 32]);
          expect(countsOf(ends[1]!.output).some((row) => row.kind === 'user' && row.user === user)).toBe(true);
        }

        type Row = { scenario: string; user_agent: string; total_ms: number; objects: number };
        const rows = (await (await overLink.program(`/api/runs/${run.id}/visits?format=json`)).json()) as Row[];
        const totalOf = (scenario: string, user: string) =>
          rows.find((row) => row.scenario === scenario && row.user_agent === user)!.total_ms;
        return totalOf;
      },
      holds: (totalOf) => {
        // 300 kB each: with three quarters of the link gold has them after 3.3 s, and bronze after 4.9 s, besides the round trips.
        expect(totalOf('HTTPEP', 'gold')).toBeLessThan(0.9 * totalOf('HTTPEP', 'bronze'));
        expect(totalOf('HTTPEP', 'gold')).toBeLessThan(totalOf('direct', 'gold'));
      },
      // Browsers start meanwhile.
      limits: { lateMs: 250 },
    });

    // Neither end, nor its key, is left.
    for (const place of ['ground', 'remote'] as const) {
      expect(await runTool(...overLink.network.enter(place), 'ss', '-Htln')).not.toMatch(/:(9000|3128)\b/);
    }
    expect(await listTemporary()).toEqual(before);
  },
);
