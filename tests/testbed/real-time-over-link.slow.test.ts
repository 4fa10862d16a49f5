import { expect, test } from 'vitest';
import { techniques } from '#core/evaluation/pages/real-time-task.ts';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { joinOverLink, linkUser } from './support/join-over-link.ts';

interface VisitRow {
  user_agent: string;
  scenario: string;
  url: string;
  message_count: number;
  message_median_ms: number;
  message_max_ms: number;
  late_message_count: number;
}

const roundTripMs = 300;
const engines = isFirefoxLeftOut ? (['chrome'] as const) : (['chrome', 'firefox'] as const);
const tasks = ['server-update', 'client-update', 'chat'];
const messages = 16;
/** Between one way and both. */
const lateAfterMs = 225;

test('messages over a satellite link take as long as their technique needs', { timeout: 720_000 }, async (context) => {
  await using link = await joinOverLink({ ...(!isFirefoxLeftOut && { firefoxPath: findFirefox() }) });
  const direction = { rateKbps: 10_000, delayMs: roundTripMs / 2 };
  const measure = async () => {
    const run = await link.run({
      name: 'The real-time web',
      urlLists: {
        tasks: tasks.map((task) => ({
          task,
          by: '{by}',
          origin: link.origin.httpUrl,
          messages,
          gapMs: 75,
          lateAfterMs,
        })),
      },
      userAgents: engines.map((engine, index) => ({ ...linkUser(engine, index), engine, urlList: 'tasks' })),
      scenarios: techniques.map((by) => ({
        name: by,
        baseline: by === 'websocket',
        variables: { by },
        network: { link: { forward: direction, return: direction } },
      })),
      pageLoad: { restMs: 0, quietMs: 300 },
      repetition: { rounds: 1, warmUp: false, attempts: 4 },
    });
    expectCompleted(run, { visits: engines.length * tasks.length * techniques.length, failedVisits: 0 });
    const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
    for (const visit of visits) {
      expect(visit.message_count).toBe(messages);
      if (visit.url.includes('/client-update?')) expect(visit.late_message_count).toBe(messages);
    }
    return visits;
  };
  const judge = (visits: VisitRow[]) => {
    const roundTripsOf = (engine: string, task: string, by: string) => {
      const visit = visits.find(
        (each) => each.user_agent === engine && each.scenario === by && each.url.includes(`/${task}?`),
      )!;
      if (task === 'server-update' && by === 'websocket')
        expect(visit.late_message_count).toBeLessThanOrEqual(messages / 2);
      return visit.message_median_ms / roundTripMs;
    };
    for (const engine of engines) {
      const found = (task: string, by: string) => roundTripsOf(engine, task, by);
      // Half a round trip, as both push; a poll brings what arose while the one before was on its way, a round trip ago at most.
      for (const by of ['websocket', 'sse']) {
        expect(found('server-update', by), `${engine}, server update by ${by}`).toBeGreaterThan(0.47);
        expect(found('server-update', by), `${engine}, server update by ${by}`).toBeLessThan(0.6);
        expect(found('chat', by), `${engine}, chat by ${by}`).toBeGreaterThan(0.99);
      }
      expect(found('server-update', 'long-polling')).toBeGreaterThan(1.5 * found('server-update', 'websocket'));
      expect(found('server-update', 'long-polling')).toBeLessThan(1.6);
      for (const task of ['client-update', 'chat']) {
        expect(found(task, 'websocket'), `${engine}, ${task}`).toBeGreaterThan(0.99);
        expect(found(task, 'websocket'), `${engine}, ${task}`).toBeLessThan(1.1);
      }
      expect(found('chat', 'long-polling')).toBeGreaterThan(1.2 * found('chat', 'websocket'));
    }
  };
  // Browsers start in each Round.
  await judgeTime(context, { measure, holds: judge, limits: { lateMs: 250 } });
});
