import { causeIds, type CauseId } from '#core/causes/causes.ts';
import type { CausesDifference } from '#core/comparison/causes/causes-comparison.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import type { Engine } from '#core/evaluation/users/user-agent.ts';
import type { joinOverLink } from './join-over-link.ts';

/** One way. A round trip stays below the 250 ms after which Chromium opens a second connection. */
const delayMs = 60;
const roundTripMs = 2 * delayMs;

const linkOf = (way: { delayMs?: number; rateKbps?: number; lossRatio?: number } = {}) => {
  const { rateKbps = 'unlimited' as const, ...rest } = way;
  return { link: { forward: { delayMs, rateKbps, ...rest }, return: { delayMs, rateKbps, ...rest } } };
};

interface Planted {
  name: string;
  /** Scenarios of a group are compared with its first one. */
  group: string;
  page: string;
  network?: ReturnType<typeof linkOf>;
  browser?: { connectionsPerOrigin: number };
  /** By how many ms more the path takes in each cause, by closed form. Null where none is known. */
  expected: Partial<Record<CauseId, number>> | null;
  /** The `http` engine runs no scripts. */
  needsScripts?: boolean;
}

const largeBytes = 12_000;
/** The last image without its first packet, whose arrival is the first byte; IP and TCP headers included. */
const bitsAfterFirst = (largeBytes - 1448 + 8 * 52) * 8;
const images = 12;

/** Three style sheets, of which each names the next: so long that the image beside them ends 240 ms earlier. */
const chain = 'chain?imports=2';

/** Each adds one cause to the page of its group. */
export const planted: readonly Planted[] = [
  { name: 'plain', group: 'chain', page: chain, expected: null },
  { name: 'server on the path', group: 'chain', page: `${chain}&delayMs=100`, expected: { server: 100 } },
  { name: 'server beside the path', group: 'chain', page: `${chain}&besideMs=100`, expected: {} },
  {
    name: 'server and redirect',
    group: 'chain',
    page: `redirect/1/to/${chain}&delayMs=100`,
    expected: { server: 100, redirect: roundTripMs },
  },
  { name: 'redirect', group: 'chain', page: `redirect/1/to/${chain}`, expected: { redirect: roundTripMs } },
  { name: 'import', group: 'chain', page: 'chain?imports=3', expected: { roundTrip: roundTripMs } },
  {
    name: 'longer round trip',
    group: 'chain',
    page: chain,
    network: linkOf({ delayMs: delayMs + 25 }),
    // The page, three style sheets and the image.
    expected: { connect: 50, roundTrip: 5 * 50 },
  },
  { name: 'script, at once', group: 'script', page: 'chain?scriptMs=0', expected: null, needsScripts: true },
  {
    name: 'script of 80 ms',
    group: 'script',
    page: 'chain?scriptMs=80',
    expected: { browser: 80 },
    needsScripts: true,
  },
  {
    name: '400 kb/s',
    group: 'rate',
    page: `${chain}&sizeBytes=${largeBytes}`,
    network: linkOf({ rateKbps: 400 }),
    expected: null,
  },
  {
    name: '200 kb/s',
    group: 'rate',
    page: `${chain}&sizeBytes=${largeBytes}`,
    network: linkOf({ rateKbps: 200 }),
    expected: { receive: bitsAfterFirst / 200 - bitsAfterFirst / 400 },
  },
  {
    name: '6 connections',
    group: 'connections',
    page: `thumbnails/${images}`,
    browser: { connectionsPerOrigin: 6 },
    expected: null,
  },
  {
    name: '1 connection',
    group: 'connections',
    page: `thumbnails/${images}`,
    browser: { connectionsPerOrigin: 1 },
    // With six, the last image waits until five more are open, and then for six others; with one, for all others.
    expected: { queue: (images - 2) * roundTripMs, connect: -roundTripMs },
  },
];

export interface PlantedResult extends Pick<Planted, 'name' | 'group' | 'expected'> {
  difference: CausesDifference;
}

type OverLink = Awaited<ReturnType<typeof joinOverLink>>;

/** What the Comparison of one engine's Visits over the link says of each planted cause. */
export async function measurePlanted(
  overLink: OverLink,
  {
    engine,
    rounds,
    names = planted.map(({ name }) => name),
    begin,
  }: { engine: Engine; rounds: number; names?: string[]; begin?: () => void },
): Promise<{ results: PlantedResult[]; unexplainedShare: number; sumErrorMs: number }> {
  const limitsConnections = engine === 'firefox' || engine === 'http';
  const own = planted.filter(
    ({ name, needsScripts = false, browser }) =>
      names.includes(name) && !(needsScripts && engine === 'http') && (!browser || limitsConnections),
  );
  const firsts = new Set([...Map.groupBy(own, ({ group }) => group).values()].map(([first]) => first));
  const run = await overLink.run(
    {
      name: `Planted causes, ${engine}`,
      urlLists: { pages: [`${overLink.origin.httpUrl}/{page}`] },
      userAgents: [
        {
          name: 'alice',
          host: 'remote',
          engine,
          urlList: 'pages',
          ...(engine === 'extension' && { osUser: 20_001, sourceAddress: '198.19.1.1', interface: 'link0' }),
        },
      ],
      scenarios: own.map((each) => ({
        name: each.name,
        group: each.group,
        baseline: firsts.has(each),
        variables: { page: each.page },
        network: each.network ?? linkOf(),
        ...(each.browser && { browser: each.browser }),
      })),
      pageLoad: { restMs: 0, quietMs: 200 },
      repetition: { rounds, warmUp: true, attempts: 5 },
    },
    { ...(begin && { begin }) },
  );
  const comparison = ComparisonSchema.parse(await (await overLink.program(`/api/runs/${run.id}/comparison`)).json());
  const { causes } = comparison;
  if (causes.kind === 'absent') throw new Error(causes.reason);
  const rows = (await (await overLink.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  if (run.state !== 'completed' || rows.some(({ status }) => status !== 'ok'))
    throw new Error(`The Run is ${run.state}, or a Visit failed`);
  return {
    results: causes.scenarios.flatMap(({ scenario, difference }) => {
      const { name, group, expected } = own.find((each) => each.name === scenario)!;
      return difference ? [{ name, group, expected, difference }] : [];
    }),
    unexplainedShare: Math.max(...rows.map((row) => row.total_cause_unexplained_ms! / row.total_ms!)),
    sumErrorMs: Math.max(...rows.map((row) => Math.abs(sumParts(row) - row.total_ms!))),
  };
}

type VisitRow = Record<string, number> & { status?: unknown };

function sumParts(row: VisitRow): number {
  return causeIds.reduce(
    (sum, cause) => sum + row[`total_cause_${cause.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}_ms`]!,
    0,
  );
}

/** What of a result is not as planted: a part off by more than 10 % and 5 ms, or one that was not planted and changed by more than a tenth of what was. */
export function findWrongParts({ expected, difference }: PlantedResult): string[] {
  if (expected === null) return [];
  const plantedMs = Object.values(expected).reduce((sum, ms) => sum + Math.abs(ms), 0);
  return difference.parts.flatMap(({ cause, value }) => {
    const wanted = expected[cause] ?? 0;
    const tolerance = Math.max(5, 0.1 * (Math.abs(wanted) || plantedMs));
    return Math.abs(value - wanted) > tolerance ? [`${cause} ${value.toFixed(1)} ms for ${wanted} ms`] : [];
  });
}
