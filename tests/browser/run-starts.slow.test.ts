import { describe, expect, it } from 'vitest';
import { drawRests } from '#controller/coordinator/order-passes.ts';
import { judgeTime } from '../support/judge-time.ts';
import { awaitRun } from './support/await-run.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { joinExtension } from './support/join-extension.ts';
import { joinAgent } from './support/join-real-agent.ts';
import { evaluationOfTwo, startRun, useLaptop, type EvaluationInput } from './support/two-users.ts';

const laptop = useLaptop();
const evaluationWith = (change: Partial<EvaluationInput>) => evaluationOfTwo(laptop.origin.httpUrl, change);

describe('a Run', () => {
  it('has Chrome, Firefox, a journey, the client without one, and the extension of a person and of an Agent begin every page together', async () => {
    laptop.origin.truth.clear();
    await using person = await joinExtension(laptop.test.controller, { target: 'chrome', name: 'person' });
    expect(person.current.browser).not.toBeNull();
    await using _ = await joinAgent(laptop.test.controller, {
      name: 'desk',
      extension: 'chrome',
      hasFirefox: !isFirefoxLeftOut,
    });
    const users = [
      { name: 'chrome', host: 'laptop', engine: 'chrome' },
      { name: 'on a journey', host: 'laptop', engine: 'chrome' },
      ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', host: 'desk', engine: 'firefox' } as const]),
      { name: 'http', host: 'laptop', engine: 'http' },
      { name: 'of a person', host: 'person', engine: 'extension' },
      { name: 'of an Agent', host: 'desk', engine: 'extension' },
    ] as const;
    // In each page, another one is the slowest.
    const pageOf = (user: number, page: number) =>
      `${laptop.origin.httpUrl}/slow-first-byte?delayMs=${user === page ? 1500 : 0}&visit=${page}`;
    const evaluation = evaluationWith({
      urlLists: Object.fromEntries(
        users.map(({ name }, index) => {
          const urls = users.map((_user, page) => pageOf(index, page));
          const steps = urls.map((url) => ({ type: 'navigate', url }));
          return [name, name === 'on a journey' ? [{ journey: { title: name, steps } }] : urls];
        }),
      ),
      userAgents: users.map((user) => ({ ...user, urlList: user.name })),
      scenarios: [{ name: 'as it is', baseline: true }],
      pageLoad: { restMs: 50, quietMs: 100 },
      repetition: { rounds: 1, warmUp: false, attempts: 1, barrier: 'page' },
    });
    const run = await awaitRun(laptop.test.program, await startRun(laptop.test, evaluation));
    expect(run).toMatchObject({ state: 'completed', problem: null, visits: users.length ** 2, failedVisits: 0 });
    const requests = laptop.origin.truth.requests().filter(({ counts }) => counts === 'base');
    const ofPage = (page: number) => requests.filter(({ visit }) => visit === String(page));
    for (let page = 1; page < users.length; page++) {
      const before = Math.max(...ofPage(page - 1).map(({ endedEpochMs }) => endedEpochMs!));
      expect(Math.min(...ofPage(page).map(({ arrivedEpochMs }) => arrivedEpochMs))).toBeGreaterThan(before);
    }
  });

  it('lets a User Agent begin later, visit more often and think, and reports the start skew against the intended offset', async (context) => {
    laptop.origin.truth.clear();
    const startOffsetMs = 1500;
    const seed = 11;
    const evaluation = evaluationWith({
      userAgents: [
        { name: 'alice', host: 'laptop', urlList: 'pages' },
        {
          name: 'bob',
          host: 'laptop',
          urlList: 'pages',
          visitsPerUrl: 2,
          restMs: { exponential: 600 },
          startOffsetMs,
        },
      ],
      repetition: { rounds: 1, warmUp: false },
    });
    const measure = async () => {
      const run = await awaitRun(laptop.test.program, await startRun(laptop.test, evaluation, seed));
      expect(run).toMatchObject({ state: 'completed', visits: 2 * (2 + 4) });
      const rows = (await (await laptop.test.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
        user_agent: string;
        scenario: string;
        sequence: number;
        started_at: string;
        total_ms: number;
      }[];
      const thinksMs = drawRests({ exponential: 600 }, { seed, block: 1, userIndex: 1 }, 4);
      for (const round of run.rounds) {
        const visitsOf = (name: string) =>
          rows.filter(({ user_agent, scenario }) => user_agent === name && scenario === round.scenario);
        const startsOf = (name: string) => visitsOf(name).map(({ started_at }) => Date.parse(started_at));
        expect(visitsOf('alice')).toHaveLength(2);
        expect(visitsOf('bob')).toHaveLength(4);
        expect(startsOf('bob')[0]! - startsOf('alice')[0]!).toBeGreaterThan(startOffsetMs - 100);
        // Each begins after the one before, its load and the think time that was drawn.
        const [starts, visits] = [startsOf('bob'), visitsOf('bob')];
        for (const index of [1, 2, 3])
          expect(starts[index]! - starts[index - 1]!).toBeGreaterThan(visits[index - 1]!.total_ms + thinksMs[index]!);
      }
      return run.rounds.map(({ startSkewMs }) => startSkewMs);
    };
    await judgeTime(context, {
      measure,
      holds: (skewsMs) => expect(skewsMs.filter((skewMs) => skewMs === null || skewMs >= 1000)).toEqual([]),
    });
  });
});
