import { AppError } from '../app-error.ts';
import { HostSchema, type Host } from '../evaluation/network/network-hosts.ts';
import { factorOf, type Replay } from '../evaluation/network/replay.ts';
import { addressOf } from './match-request.ts';
import { mostHosts, siteProtocols, type Site, type SiteExchange, type SiteHost, type SiteProtocol } from './site.ts';

/** What hosts are composed of: a Site with no more of its exchanges than who spoke what. */
export interface SiteOutline extends Pick<Site, 'recordedEpochMs' | 'hosts' | 'pages'> {
  exchanges: readonly Pick<SiteExchange, 'url' | 'page' | 'visit' | 'protocol'>[];
}

/** A recording, and those of its pages that are replayed. */
export interface ReplayedSite {
  name: string;
  site: SiteOutline;
  pages: readonly number[];
}

/** The visit to each page that is replayed. */
export const replayedVisit = 1;

/** One exchange for each page, host and version of HTTP of the replayed visits: the same hosts are composed of it, and it is small. */
export function outlineSite({ recordedEpochMs, hosts, pages, exchanges }: Site): SiteOutline {
  const spoken = new Map<string, SiteOutline['exchanges'][number]>();
  for (const { url, page, visit, protocol } of exchanges) {
    if (visit !== replayedVisit) continue;
    const { origin } = new URL(url);
    spoken.set(`${page} ${protocol} ${origin}`, { url: origin, page, visit, protocol });
  }
  return { recordedEpochMs, hosts, pages, exchanges: [...spoken.values()] };
}

/** Whether a testbed can have a host for this address: one whose name DNS can have, and that listens at its port. */
export function hasReplayableHost({ hostname, port }: URL): boolean {
  return port === '' && HostSchema.shape.name.safeParse(hostname).success;
}

/**
 * The hosts of the testbed that replay these pages. Names that had one address and one certificate are one host, so that HTTP/2 shares connections among them as it did. A host whose name no DNS can have,
 * such as an address, is left out: requests to it find no host. Throws `invalid-input` where a page itself is on such a host, or has a port of its own, where two Sites have one host, and where there are too
 * many, or one is too far away.
 */
export function composeHosts(sites: readonly ReplayedSite[], replay: Replay): Host[] {
  const ownerOf = new Map<string, string>();
  const hosts = new Map<string, Host>();
  for (const { name: owner, site, pages } of sites) {
    const spoken = listSpoken({ site, pages });
    for (const recorded of site.hosts) {
      const protocols = spoken.get(recorded.name);
      const host = protocols ? composeHost(recorded, { owner, protocols, replay }) : null;
      if (!host) continue;
      const other = ownerOf.get(host.name);
      if (other !== undefined)
        throw new AppError(
          'invalid-input',
          `The Sites "${other}" and "${owner}" both have the host ${host.name}: load them in Evaluations of their own`,
        );
      ownerOf.set(host.name, owner);
      const server = identifyServer(recorded, host);
      const same = hosts.get(server);
      hosts.set(server, same ? { ...same, aliases: [...(same.aliases ?? []), host.name] } : host);
    }
    for (const page of pages) requirePage({ owner, site, page, has: (name) => ownerOf.has(name) });
    refuseOneAddress({ name: owner, site, pages });
  }
  if (ownerOf.size > mostHosts)
    throw new AppError(
      'invalid-input',
      `The Sites have ${ownerOf.size} hosts, more than the ${mostHosts} of a testbed`,
    );
  return [...hosts.values()];
}

/** Equal for the names of one server: those that had one address and one certificate, which names them, and that speak the same. Their distance is that of the first. */
function identifyServer({ name, address, certificateNames }: SiteHost, { protocols }: Host): string {
  const isNamed = certificateNames.some((each) =>
    each.startsWith('*.') ? name.slice(name.indexOf('.')) === each.slice(1) : each === name,
  );
  return JSON.stringify(address !== null && isNamed ? [address, certificateNames.toSorted(), protocols] : name);
}

/** What each host that these pages need spoke with the browser: it may have offered more. */
function listSpoken({ site, pages }: Pick<ReplayedSite, 'site' | 'pages'>): Map<string, Set<SiteProtocol>> {
  const spoken = new Map<string, Set<SiteProtocol>>();
  for (const { url, page, visit, protocol } of site.exchanges) {
    if (!pages.includes(page) || visit !== replayedVisit) continue;
    const { hostname } = new URL(url);
    spoken.set(hostname, (spoken.get(hostname) ?? new Set()).add(protocol));
  }
  return spoken;
}

/** Null where its name is none that a host can have. */
function composeHost(
  { name, connectMs }: SiteHost,
  { owner, protocols, replay }: { owner: string; protocols: ReadonlySet<SiteProtocol>; replay: Replay },
): Host | null {
  if (!HostSchema.shape.name.safeParse(name).success) return null;
  // There and back, it takes one round trip.
  const delayMs = Math.round(((connectMs ?? 0) / 2) * factorOf(replay.distance) * 1000) / 1000;
  const { error } = HostSchema.shape.delayMs.safeParse(delayMs);
  if (error)
    throw new AppError(
      'invalid-input',
      `The host ${name} of the Site "${owner}" would be ${delayMs} ms away, and a delay ${error.issues[0]!.message}: choose a smaller network.replay.distance`,
    );
  return { name, delayMs, protocols: chooseProtocols(protocols, replay.protocol) };
}

/** Browsers choose the newest. Older ones stay for engines without it. */
function chooseProtocols(spoken: ReadonlySet<SiteProtocol>, wanted: Replay['protocol']): SiteProtocol[] {
  const newestFirst = siteProtocols.toReversed();
  const newest = wanted === 'recorded' ? newestFirst.find((protocol) => spoken.has(protocol))! : wanted;
  return newestFirst.slice(newestFirst.indexOf(newest));
}

/** A replay knows which page is loaded by what a user asks for. */
function refuseOneAddress({ name, site, pages }: ReplayedSite): void {
  const numberOf = new Map<string | null, number>();
  for (const page of pages) {
    const address = addressOf(site.pages[page - 1]!.url);
    const other = numberOf.get(address);
    if (other !== undefined)
      throw new AppError(
        'invalid-input',
        `Pages ${other} and ${page} of the Site "${name}" have one address, so a replay cannot distinguish them: load them in Evaluations of their own`,
      );
    numberOf.set(address, page);
  }
}

interface PageCheck {
  owner: string;
  site: SiteOutline;
  page: number;
  has: (host: string) => boolean;
}

function requirePage({ owner, site, page, has }: PageCheck): void {
  const url = URL.parse(site.pages.find(({ number }) => number === page)?.url ?? '');
  if (!url) throw new AppError('invalid-input', `The Site "${owner}" has no page ${page}: it has ${site.pages.length}`);
  if (!has(url.hostname) || url.port !== '')
    throw new AppError(
      'invalid-input',
      `Page ${page} of the Site "${owner}" cannot be replayed: its address ${url.origin} is no name of a host with the port 80 or 443`,
    );
}
