import { AppError } from '#core/app-error.ts';
import { expandDocument, type EvaluationDocument } from '#core/evaluation/evaluation-document.ts';
import type { Host } from '#core/evaluation/network/network-hosts.ts';
import { factorOf, ReplaySchema, type Replay } from '#core/evaluation/network/replay.ts';
import { listLoadedSites, type LoadedSite } from '#core/evaluation/pages/site-page.ts';
import type { UrlEntry } from '#core/evaluation/pages/url-entry.ts';
import type { ListedSite } from '#core/protocol/api/stored-site.ts';
import type { SiteReplay } from '#core/protocol/site-replay.ts';
import { composeHosts, replayedVisit, type SiteOutline } from '#core/site/compose-hosts.ts';
import type { Queryable } from '../database/queryable.ts';
import type { SiteReader } from './site-reader.ts';
import { findNamedSite, readIndexOf } from './sites.ts';

/** What the testbed is ordered to replay. */
export interface ReplayPlan {
  hosts: Host[];
  replay: SiteReplay;
}

/** Where Sites are, and by which their indexes are read. */
interface Source {
  db: Queryable;
  siteReader: Pick<SiteReader, 'outline'>;
}

type UrlLists = EvaluationDocument['urlLists'];
interface FoundSite {
  name: string;
  sha256: string;
  site: SiteOutline;
  pages: readonly number[];
}

/**
 * The document with the address and the recording of each page of a Site, as the Controller has it now. Throws `invalid-input` where a Site or a page is not there, and where the Sites cannot be
 * replayed together, or not as a Scenario wants.
 */
export async function resolveSites(document: EvaluationDocument, source: Source): Promise<EvaluationDocument> {
  const found = await findSites(document.urlLists, source);
  if (found.size === 0) return document;
  const sites = [...found.values()];
  composeHosts(sites, ReplaySchema.parse({ distance: 'none' }));
  const resolve = (entry: UrlEntry): UrlEntry => {
    const of = entry.site === undefined ? undefined : found.get(entry.site);
    return of ? { ...entry, ...describePage(of, entry.page ?? 1) } : entry;
  };
  const urlLists = Object.fromEntries(
    Object.entries(document.urlLists).map(([name, entries]) => [name, entries.map(resolve)]),
  );
  const resolved = { ...document, urlLists };
  const replays = expandDocument(resolved).scenarios.map(({ network }) => network?.replay ?? ReplaySchema.parse({}));
  for (const replay of new Map(replays.map((each) => [each.distance, each])).values()) composeHosts(sites, replay);
  return resolved;
}

/** As `resolveSites`; a document that it refuses stays as it is. An estimate needs no recording. */
export async function resolveKnownSites(document: EvaluationDocument, source: Source): Promise<EvaluationDocument> {
  try {
    return await resolveSites(document, source);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid-input') throw error;
    return document;
  }
}

/** Throws `conflict` where a Site is not as it was when the document was stored, or is gone. */
export async function requireSites(db: Queryable, { urlLists }: Pick<EvaluationDocument, 'urlLists'>): Promise<void> {
  for (const { name, sha256 } of await listSitesAsNow(db, urlLists)) {
    const wanted = listLoadedSites(urlLists).find((each) => each.name === name)!.sha256;
    if (wanted !== sha256)
      throw new AppError(
        'conflict',
        `The Site "${name}" has another recording than when the Evaluation was saved: save the Evaluation again, and it loads the new one`,
      );
  }
}

/** What the testbed replays for such URL lists: its hosts, and what they answer. Null where these have no page of a Site. */
export async function planReplay(
  { urlLists, replay = ReplaySchema.parse({}) }: { urlLists: UrlLists; replay?: Replay | undefined },
  source: Source,
): Promise<ReplayPlan | null> {
  const found = [...(await findSites(urlLists, source)).values()];
  if (found.length === 0) return null;
  const recorded = new Map(listLoadedSites(urlLists).map(({ name, sha256 }) => [name, sha256]));
  return {
    hosts: composeHosts(found, replay),
    replay: {
      sites: found.map(({ name, sha256, pages }) => ({
        name,
        sha256: recorded.get(name) ?? sha256,
        pages: [...pages],
      })),
      thinkTimeFactor: factorOf(replay.thinkTime),
    },
  };
}

async function findSites(urlLists: UrlLists, { db, siteReader }: Source): Promise<Map<string, FoundSite>> {
  const found = new Map<string, FoundSite>();
  for (const { id, name, sha256, pages } of await listSitesAsNow(db, urlLists))
    found.set(name, { name, sha256, pages, site: await siteReader.outline(await readIndexOf(db, id)) });
  return found;
}

async function listSitesAsNow(
  db: Queryable,
  urlLists: UrlLists,
): Promise<{ id: string; name: string; sha256: string; pages: LoadedSite['pages'] }[]> {
  const sites = [];
  for (const { name, pages } of listLoadedSites(urlLists)) {
    const { id, sha256 } = await needNamed(db, name);
    sites.push({ id, name, sha256, pages });
  }
  return sites;
}

async function needNamed(db: Queryable, name: string): Promise<ListedSite> {
  const found = await findNamedSite(db, name);
  if (found) return found;
  throw new AppError('invalid-input', `urlLists: there is no Site "${name}". Upload its recording under Sites first`);
}

/** A pattern would be made of braces, which URLs have as they are. */
function describePage({ sha256, site }: FoundSite, number: number): Pick<UrlEntry, 'url' | 'recording'> {
  const { url, visits } = site.pages.find((page) => page.number === number)!;
  const recordedEpochMs = visits[replayedVisit - 1]?.startEpochMs ?? site.recordedEpochMs;
  return {
    url: new URL(url).href.replaceAll('{', '%7B').replaceAll('}', '%7D'),
    recording: { sha256, recordedEpochMs },
  };
}
