import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { corpusSites } from '#cli/site/corpus/corpus-sites.ts';
import { fetchCorpus } from '#cli/site/fetch-corpus.ts';
import { compareReplay } from '#core/site/compare-replay.ts';
import { summarizeSample } from '#core/statistics/summarize-sample.ts';
import { openSite } from '#site/open-site.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { joinOverLink } from '#tests/testbed/support/join-over-link.ts';
import { openBenchController } from './support/bench-parts.ts';

/**
 * How like their recordings pages of the corpus are when they are replayed, and how much their latency varies: `node bench/replays.ts [--rounds 10] [--link geo-8m] [--corpus FOLDER] [SITE…]`, as root.
 * One user in Chrome, after a warm-up. Ends with 1 where a page misses more than 1 % of its objects, or its total varies by more than 3 % (coefficient of variation).
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '10' },
    link: { type: 'string', default: 'geo-8m' },
    corpus: { type: 'string' },
  },
});
const mostMissingRatio = 0.01;
const mostVariation = 0.03;
const names = positionals.length > 0 ? positionals : corpusSites.slice(0, 7).map(({ name }) => name);

await using resources = new AsyncDisposableStack();
const folder = values.corpus ?? (await makeOwnFolder());
const files = await fetchCorpus(names, {
  folder,
  packagesFolder: path.join(folder, 'packages'),
  chromePath: findChrome(),
  say: (line) => console.error(line),
  signal: new AbortController().signal,
});
const overLink = resources.use(await joinOverLink({ userCount: 1 }, openBenchController));
const rows: Record<string, string | number>[] = [];
const faults: string[] = [];
for (const [index, name] of names.entries()) {
  await using opened = await openSite(files[index]!);
  const { site } = opened;
  const body = new Uint8Array(await readFile(files[index]!));
  await overLink.program(`/api/sites?name=${name}`, { method: 'POST', body });
  const visits = await replay(name);
  const compared = visits.map(({ snapshot }) => compareReplay(snapshot!, { site, page: 1, visit: 1 }));
  const totals = summarizeSample(visits.map(({ readings }) => readings.totalMs!));
  const variation = totals.standardDeviation! / totals.mean;
  const recorded = compared[0]!.objects.recorded;
  const fewest = Math.min(...compared.map(({ objects }) => objects.replayed!));
  rows.push({
    site: name,
    hosts: site.hosts.length,
    'objects recorded': recorded,
    'objects replayed': rangeOf(compared.map(({ objects }) => objects.replayed!)),
    inexact: rangeOf(compared.map(({ inexact }) => inexact.length)),
    misses: rangeOf(compared.map(({ misses }) => misses.length)),
    'unknown hosts': rangeOf(compared.map(({ unknownHosts }) => unknownHosts.length)),
    score: rangeOf(compared.map(({ score }) => Number(score.toFixed(3)))),
    'total, ms': totals.mean.toFixed(0),
    'variation, %': (variation * 100).toFixed(1),
  });
  if (fewest < recorded * (1 - mostMissingRatio)) faults.push(`${name} asked for ${fewest} of ${recorded} objects`);
  if (variation > mostVariation) faults.push(`${name} varies by ${(variation * 100).toFixed(1)} %`);
}
console.log(`${values.rounds} replays each over ${values.link}`);
console.table(rows);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

async function replay(name: string) {
  const run = await overLink.run({
    name,
    urlLists: { pages: [{ site: name, page: 1 }] },
    userAgents: [{ name: 'ann', host: 'user1', engine: 'chrome', urlList: 'pages' }],
    scenarios: [{ name: 'replay', baseline: true, network: { link: values.link } }],
    repetition: { rounds: Number(values.rounds), warmUp: true, attempts: 5 },
  });
  const visits = await overLink.readVisits(run.id);
  return visits.filter(({ warmUp }) => !warmUp);
}

function rangeOf(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? String(least) : `${least}–${most}`;
}

async function makeOwnFolder(): Promise<string> {
  const own = await mkdtemp(path.join(tmpdir(), 'bench-replays-'));
  resources.defer(() => rm(own, { recursive: true }));
  return own;
}
