import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { UrlEntry } from '#core/evaluation/pages/url-entry.ts';
import { ReplayOfVisitSchema, type ReplayOfVisit } from '#core/protocol/api/replay-of-visit.ts';
import type { ReplayComparison } from '#core/site/compare-replay.ts';
import { replayedVisit } from '#core/site/compose-hosts.ts';
import type { Queryable } from '../database/queryable.ts';
import { jsonRoute, type Route } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import type { SnapshotReader } from '../visits/snapshot-reader.ts';
import { needVisit, type FoundVisit } from '../visits/visit-detail.ts';
import { findSite, readSite } from './sites.ts';

const VisitParams = z.object({ id: z.uuid() });

export function replayRoutes({ pool, snapshots }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/visits/:id/replay',
      summary: 'Compare the page of a Visit with its recording, where it is a page of a Site',
      access: 'viewer',
      params: VisitParams,
      answer: ReplayOfVisitSchema,
      handle: ({ params }) => compareVisit({ pool, snapshots }, params.id),
    }),
  ];
}

/** Throws `not-found` where there is no such Visit, and where it loaded no page of a Site. */
async function compareVisit(
  { pool, snapshots }: { pool: Queryable; snapshots: SnapshotReader },
  visitId: string,
): Promise<ReplayOfVisit> {
  const { visit, snapshot } = await needVisit(pool, visitId);
  const { site: name, page = 1, recording } = await needSitePage(pool, visit);
  const absent = (reason: string): ReplayOfVisit => ({ kind: 'absent', reason });
  if (snapshot === null) return absent('Nothing of the page is kept');
  const stored = await findSite(pool, name);
  if (!stored) return absent(`The Site “${name}” was deleted`);
  if (stored.sha256 !== recording?.sha256) return absent(`The Site “${name}” has another recording now`);
  const site = await readSite(pool, stored.id);
  const replayed = site.exchanges.filter((each) => each.page === page && each.visit === replayedVisit);
  const text = await snapshots.write(snapshot, {
    kind: 'replay',
    recorded: { site: { ...site, exchanges: replayed }, page, visit: replayedVisit },
  });
  const comparison = JSON.parse(text) as ReplayComparison;
  return { kind: 'compared', site: { id: stored.id, name }, page, comparison };
}

async function needSitePage(
  db: Queryable,
  { id, runId, userAgent, url }: FoundVisit['visit'],
): Promise<UrlEntry & { site: string }> {
  const { rows } = await db.query<{ document: unknown }>('select document from run where id = $1', [runId]);
  const { urlLists, userAgents } = EvaluationSchema.parse(rows[0]!.document);
  const list = userAgents.find(({ name }) => name === userAgent)?.urlList;
  const entry = (list === undefined ? [] : (urlLists[list] ?? [])).find((each) => each.url === url);
  if (entry?.site === undefined) throw new AppError('not-found', `The Visit ${id} loaded no page of a Site`);
  return { ...entry, site: entry.site };
}
