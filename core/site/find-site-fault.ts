import { describeIssues, formatPath } from '../input/describe-issues.ts';
import { mostSiteBytes, SiteExchangeSchema, SiteHostSchema, type Site, type SiteExchange } from './site.ts';

const HeldSchema = SiteExchangeSchema.omit({ number: true, body: true }).strip();

/** What keeps an exchange out of every Site, such as a status of 999, as a sentence without its end; null where nothing does. Its body is not looked at. */
export function findExchangeFault(exchange: Omit<SiteExchange, 'number' | 'body'>): string | null {
  const { error } = HeldSchema.safeParse(exchange);
  if (error) {
    const [first] = describeIssues(error, { schema: HeldSchema, input: exchange });
    return `a Site cannot hold it: ${formatPath(first!.path)} ${first!.message}`;
  }
  const { hostname } = new URL(exchange.url);
  return SiteHostSchema.shape.name.safeParse(hostname).success ? null : 'a Site cannot hold it: the name of its host';
}

/** What of a Site contradicts itself, as the end of a sentence; null where nothing does. For what its schema cannot see. */
export function findSiteFault({ hosts, pages, exchanges }: Site): string | null {
  const names = new Set(hosts.map(({ name }) => name));
  if (names.size < hosts.length) return `has the host ${findRepeated(hosts.map(({ name }) => name))} twice`;
  const misnumbered = pages.find(({ number }, index) => number !== index + 1);
  if (misnumbered) return `has the page ${misnumbered.number} out of its place: pages are numbered from 1`;
  for (const [index, { number, page, url }] of exchanges.entries()) {
    if (number !== index) return `has the number ${number} at the exchange ${index}`;
    if (page > pages.length || page === 0) return `has an exchange of page ${page}, which it does not have`;
    const host = URL.parse(url)?.hostname;
    if (host === undefined) return `has an exchange whose URL is none: ${url.slice(0, 200)}`;
    if (!names.has(host)) return `has an exchange with the host ${host}, which it does not list`;
  }
  return findFalseBody(exchanges) ?? findExcessOfBodies(exchanges);
}

/** Bodies within each other could take far more time to read than the archive has bytes. */
function findFalseBody(exchanges: Site['exchanges']): string | null {
  const atOffset = new Map<number, NonNullable<Site['exchanges'][number]['body']>>();
  for (const { body } of exchanges) {
    if (!body) continue;
    const known = atOffset.get(body.offset) ?? body;
    if (known.length !== body.length || known.bytes !== body.bytes || known.sha256 !== body.sha256)
      return `has two bodies at the place ${body.offset} of its archive`;
    atOffset.set(body.offset, known);
  }
  let end = 0;
  for (const { offset, length } of [...atOffset.values()].sort((one, other) => one.offset - other.offset)) {
    if (offset < end) return `has two bodies at the place ${offset} of its archive`;
    end = offset + length;
  }
  return null;
}

function findExcessOfBodies(exchanges: Site['exchanges']): string | null {
  const bytesByOffset = new Map(exchanges.flatMap(({ body }) => (body ? [[body.offset, body.bytes] as const] : [])));
  const sum = [...bytesByOffset.values()].reduce((total, bytes) => total + bytes, 0);
  return sum <= mostSiteBytes ? null : `has ${sum} bytes of bodies, more than the limit of ${mostSiteBytes}`;
}

function findRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
