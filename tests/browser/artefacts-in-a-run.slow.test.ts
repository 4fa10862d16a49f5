import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findNavigationStart } from '#core/metrics/navigation-start.ts';
import type { Har } from '#core/har/har.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController } from '../support/controller.ts';
import { judgeTime } from '../support/judge-time.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';

test(
  'a Run whose Evaluation asks for them has headers in the HAR, a screenshot and a filmstrip of every Visit',
  { timeout: 540_000 },
  async (context) => {
    await using origin = await startOrigin();
    await using it = await startTestController();
    await using joined = new AsyncDisposableStack();
    joined.use(await joinAgent(it.controller));
    const evaluation = {
      name: 'With artefacts',
      urlLists: { pages: [`${origin.httpUrl}/images/{1,2}`] },
      userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
      scenarios: [
        { name: 'plain', baseline: true },
        { name: 'small', browser: { viewport: { widthPx: 400, heightPx: 300 }, userAgentString: 'Palm/1.0' } },
      ],
      pageLoad: { restMs: 0, quietMs: 100 },
      repetition: { rounds: 2, warmUp: false },
      artefacts: { har: true, screenshot: true, filmstrip: true },
    };
    const stored = StoredEvaluationSchema.parse(
      await (await it.program('/api/evaluations', postJson(evaluation))).json(),
    );
    const measure = async () => {
      const { id: runId } = RunSummarySchema.parse(
        await (await it.program(`/api/evaluations/${stored.id}/runs`, postJson({}))).json(),
      );
      expect(await awaitRun(it.program, runId)).toMatchObject({ state: 'completed', visits: 8, failedVisits: 0 });

      const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
        visit_id: string;
        scenario: string;
      }[];
      const small = rows.filter(({ scenario }) => scenario === 'small');
      expect(small).toHaveLength(4);
      /** When the first look was shown, since the start of the navigation. */
      const firstLooksMs: number[] = [];
      for (const { visit_id: id } of small) {
        const har = (await (await it.program(`/api/visits/${id}/har`)).json()) as Har;
        expect(har.log.entries[0]!.request.headers).toContainEqual({ name: 'User-Agent', value: 'Palm/1.0' });
        // They come after the Visits, when nothing is measured.
        await expect
          .poll(async () => (await it.program(`/api/visits/${id}/screenshot`)).status, { timeout: 30_000 })
          .toBe(200);
        const { format, width, height } = await sharp(
          await (await it.program(`/api/visits/${id}/screenshot`)).arrayBuffer(),
        ).metadata();
        expect({ format, width, height }).toEqual({ format: 'jpeg', width: 400, height: 300 });

        const { filmstrip, snapshot, readings } = VisitDetailSchema.parse(
          await (await it.program(`/api/visits/${id}`)).json(),
        );
        if (filmstrip?.kind !== 'kept' || !snapshot)
          throw new Error(`There is no filmstrip: ${JSON.stringify(filmstrip)}`);
        expect(filmstrip.leftOut).toBe(0);
        // The empty tab, then the page: with its images it is another look than without.
        expect(filmstrip.frames.length).toBeGreaterThanOrEqual(2);
        firstLooksMs.push(filmstrip.frames[0]!.shownEpochMs - findNavigationStart(snapshot));
        // Measured by the Agent before it uploaded the Visit; where the last look was seen late, its time is not known.
        expect(filmstrip.frames.at(-1)!.progressRatio).toBe(1);
        if (!filmstrip.isLastLate) expect(readings.speedIndexMs).toBeGreaterThan(0);
        for (const { sha256, bytes } of filmstrip.frames) {
          await expect
            .poll(async () => (await it.program(`/api/pictures/${sha256}`)).status, { timeout: 30_000 })
            .toBe(200);
          const frame = await (await it.program(`/api/pictures/${sha256}`)).arrayBuffer();
          expect(frame.byteLength).toBe(bytes);
          expect((await sharp(frame).metadata()).format).toBe('jpeg');
        }
      }
      return firstLooksMs;
    };
    await judgeTime(context, {
      measure,
      holds: (firstLooksMs) => expect(Math.max(...firstLooksMs)).toBeLessThanOrEqual(50),
      // Browsers start in each Round.
      limits: { lateMs: 250 },
    });
  },
);

test(
  'a User Agent that can be filmed is so in the warm-up Block alone, beside one that cannot; its main thread is recorded in all',
  { timeout: 240_000 },
  async () => {
    await using origin = await startOrigin();
    await using it = await startTestController();
    await using joined = new AsyncDisposableStack();
    joined.use(await joinAgent(it.controller));
    const user = { host: 'laptop', urlList: 'pages' };
    const evaluation = {
      name: 'Mixed',
      urlLists: { pages: [`${origin.httpUrl}/images/2`] },
      userAgents: [
        { ...user, name: 'alice', engine: 'chrome' },
        { ...user, name: 'carl', engine: 'http' },
      ],
      scenarios: [{ name: 'plain', baseline: true }],
      pageLoad: { restMs: 0, quietMs: 100 },
      repetition: { rounds: 1 },
      artefacts: { filmstrip: 'warm-up', mainThread: true },
    };
    const stored = StoredEvaluationSchema.parse(
      await (await it.program('/api/evaluations', postJson(evaluation))).json(),
    );
    const { id: runId } = RunSummarySchema.parse(
      await (await it.program(`/api/evaluations/${stored.id}/runs`, postJson({}))).json(),
    );
    expect(await awaitRun(it.program, runId)).toMatchObject({ state: 'completed', visits: 4, failedVisits: 0 });
    const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
      visit_id: string;
      user_agent: string;
      warm_up: boolean;
      main_thread_ms: number | null;
      scripting_ms: number | null;
    }[];
    const seen = await Promise.all(
      rows.map(async (row) => {
        const visit = VisitDetailSchema.parse(await (await it.program(`/api/visits/${row.visit_id}`)).json());
        const { filmstrip, absences } = visit;
        const isBusy = row.main_thread_ms !== null && row.main_thread_ms > 0;
        return [row.user_agent, row.warm_up, filmstrip?.kind ?? null, isBusy, absences.mainThreadMs ?? null];
      }),
    );
    expect(seen.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))).toEqual([
      ['alice', false, null, true, null],
      ['alice', true, 'kept', true, null],
      ['carl', false, null, false, 'unsupported'],
      ['carl', true, null, false, 'unsupported'],
    ]);
    expect(await (await it.program(`/api/runs/${runId}/method`)).json()).toMatchObject({
      artefacts: [
        'Films of alice in the warm-up Block, not of carl: http makes no films',
        'The main thread of alice, not of carl: http does not record the main thread',
      ],
    });
  },
);
