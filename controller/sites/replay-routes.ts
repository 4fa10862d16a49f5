import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { UrlEntry } from '#core/evaluation/pages/url-entry.ts';
import {
  ReplayOfVisitSchema,
  ReplaysOfRunSchema,
  type ReplayOfVisit,
  type ReplaysOfRun,
} from '#core/protocol/api/replay-of-visit.ts';
import type { Queryable } from '../database/queryable.ts';
import { jsonRoute, type Route, IdParams } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { readRun } from '../runs/stored-runs.ts';
import { needVisit } from '../visits/visit-detail.ts';
import type { StoredSnapshot } from '../visits/written-snapshot.ts';
import type { SiteReader } from './site-reader.ts';
import { findNamedSite, readIndexOf } from './sites.ts';

const VisitParams = z.object({ id: z.uuid() });

/** Each takes some milliseconds. */
const mostOfRun = 100;

export function replayRoutes({ pool, siteReader }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/visits/:id/replay',
      summary: 'Compare the page of a Visit with its recording, where it is a page of a Site',
      access: 'viewer',
      params: VisitParams,
      answer: ReplayOfVisitSchema,
      handle: ({ params }) => compareVisit(params.id, { pool, siteReader }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/runs/:id/replays',
      summary:
        'Compare the pages of Sites that a Run loaded with their recordings: the newest Visit of each page, User Agent and Scenario',
      access: 'viewer',
      params: IdParams,
      answer: ReplaysOfRunSchema,
      handle: ({ params }) => compareRun(params.id, { pool, siteReader }),
    }),
  ];
}

interface Sources {
  pool: Queryable;
  siteReader: SiteReader;
}

type SitePage = UrlEntry & { site: string };

/** Throws `not-found` where there is no such Visit, and where it loaded no page of a Site. */
async function compareVisit(visitId: string, sources: Sources): Promise<ReplayOfVisit> {
  const { visit, snapshot } = await needVisit(sources.pool, visitId);
  const pages = await listSitePages(sources.pool, visit.runId);
  const page = pages.find(({ userAgent, entry }) => userAgent === visit.userAgent && entry.url === visit.url);
  if (!page) throw new AppError('not-found', `The Visit ${visitId} loaded no page of a Site`);
  return compareSnapshot(snapshot, page.entry, sources);
}

/** Throws `not-found`. */
async function compareRun(runId: string, sources: Sources): Promise<ReplaysOfRun> {
  const pages = await listSitePages(sources.pool, runId);
  const { rows } = await sources.pool.query<NewestVisit>(
    `select distinct on (page.place, round.scenario) visit.id, page.place::int, round.scenario, snapshot.compressed, snapshot.body::text as body
     from unnest($2::text[], $3::text[]) with ordinality as page (user_agent, url, place)
     join round on round.run_id = $1 and not round.warm_up
     join pass on pass.round_id = round.id and pass.user_agent = page.user_agent
     join visit on visit.pass_id = pass.id and visit.url = page.url
     join snapshot on snapshot.visit_id = visit.id
     order by page.place, round.scenario, visit.started_at desc
     limit $4`,
    [runId, pages.map(({ userAgent }) => userAgent), pages.map(({ entry }) => entry.url), mostOfRun + 1],
  );
  const replays: ReplaysOfRun['replays'] = [];
  for (const { id, place, scenario, compressed, body } of rows.slice(0, mostOfRun)) {
    const { userAgent, entry } = pages[place - 1]!;
    const replay = await compareSnapshot(compressed ?? body, entry, sources);
    replays.push({ visitId: id, url: entry.url, userAgent, scenario, replay });
  }
  return { replays, hasMore: rows.length > mostOfRun };
}

interface NewestVisit {
  id: string;
  /** Of its page, from 1. */
  place: number;
  scenario: string;
  compressed: Buffer | null;
  body: string | null;
}

async function compareSnapshot(
  snapshot: StoredSnapshot | null,
  { site: name, page = 1, recording }: SitePage,
  { pool, siteReader }: Sources,
): Promise<ReplayOfVisit> {
  const absent = (reason: string): ReplayOfVisit => ({ kind: 'absent', reason });
  if (snapshot === null) return absent('Nothing of the page is kept');
  const stored = await findNamedSite(pool, name);
  if (!stored) return absent(`The Site “${name}” was deleted`);
  if (stored.sha256 !== recording?.sha256) return absent(`The Site “${name}” has another recording now`);
  const comparison = await siteReader.compare(await readIndexOf(pool, stored.id), { page, snapshot });
  return { kind: 'compared', site: { id: stored.id, name }, page, comparison };
}

/** The pages of Sites that each User Agent loads, each once. Throws `not-found` where there is no such Run. */
async function listSitePages(db: Queryable, runId: string): Promise<{ userAgent: string; entry: SitePage }[]> {
  const run = await readRun(db, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const { urlLists, userAgents } = EvaluationSchema.parse(run.document);
  return userAgents.flatMap(({ name, urlList }) => {
    const pages = new Map((urlLists[urlList] ?? []).map((entry) => [entry.url, entry]));
    return [...pages.values()].flatMap((entry) =>
      entry.site === undefined ? [] : [{ userAgent: name, entry: { ...entry, site: entry.site } }],
    );
  });
}
