import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '#cli/extension/build-extension.ts';
import { fetchPackage, nameOf } from '#cli/site/corpus/fetch-package.ts';
import { conformanceEngines } from '#tests/browser/support/conformance-engines.ts';
import { visit } from '#tests/browser/support/visit-for-snapshot.ts';
import { compareWithLog, type ComparedVisit } from './support/compare-with-log.ts';

import { packageDocuments } from './support/package-documents.ts';
import { readMedian } from './support/read-quantile.ts';
import { startDocumentServer } from './support/start-document-server.ts';

/**
 * Twenty documents of real packages in every engine, each compared with the log of the server that it came from:
 * `node bench/real-documents.ts [--visits 3] [--protocol http2] [--packages FOLDER] [--only WORD] [ENGINE…]`.
 * Needs npm, and Debian 12 for the packages of Debian. `--packages` keeps what was downloaded. Ends with 1 where something disagrees: a number in any Visit, or the median of the total's
 * differences by more than 5 ms.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    visits: { type: 'string', default: '3' },
    protocol: { type: 'string', default: 'http' },
    packages: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const mostMs = 5;
const visitCount = Number(values.visits);
const engines = conformanceEngines.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

await using resources = new AsyncDisposableStack();
const folder = values.packages ?? (await makeOwnFolder());
await mkdir(folder, { recursive: true });
const wanted = packageDocuments.filter(({ source, path: place }) => `${nameOf(source)}${place}`.includes(values.only));
const folders = new Map<string, string>();
for (const { source } of wanted)
  folders.set(nameOf(source), await fetchPackage(source, { folder, signal: AbortSignal.timeout(600_000) }));
const server = resources.use(
  await startDocumentServer({
    folders: [...folders.values()],
    protocol: values.protocol === 'http2' ? 'http2' : 'http',
  }),
);
const documents = await Promise.all(
  wanted.map(async ({ source, path: place }) => ({
    name: nameOf(source),
    place,
    url: server.urls[[...folders.keys()].indexOf(nameOf(source))]! + place,
    icons: await findIcons(path.join(folders.get(nameOf(source))!, place), place),
  })),
);

await buildExtension();
const results = new Map<string, ComparedVisit[]>();
const failures: string[] = [];
for (const engine of engines) {
  await using session = await engine.open({ browser: { trustedKeys: [server.trustedKey] } });
  const estimatesHeads = engine.name.startsWith('extension');
  for (const { name, place, url, icons } of documents) {
    const visits: ComparedVisit[] = [];
    // The first is to warm up: the server reads and compresses the files then.
    for (let index = engine === engines[0] ? -1 : 0; index < visitCount; index++) {
      await server.takeLog();
      const outcome = await visit(session, url);
      const log = await server.takeLog();
      if (outcome.status === 'failed')
        failures.push(`${name}${place}: ${engine.name}: ${outcome.code}, ${outcome.detail}`);
      else if (index >= 0) visits.push(compareWithLog(outcome.snapshot, log, { url, icons, estimatesHeads }));
    }
    results.set(`${engine.name} ${url}`, visits);
    for (const fault of judge(visits)) failures.push(`${name}${place}: ${engine.name}: ${fault}`);
  }
}

console.log(
  `${documents.length} documents by ${values.protocol}, ${visitCount} Visits each: objects / bytes of their bodies / median total in ms from the first request, and its difference from the server's log\n`,
);
console.log(`| document | ${engines.map(({ name }) => name).join(' | ')} |`);
console.log(`|---|${engines.map(() => '---|').join('')}`);
for (const { name, place, url } of documents) {
  const cells = engines.map((engine) => describeCell(results.get(`${engine.name} ${url}`)!));
  console.log(`| ${name} \`${place}\` | ${cells.join(' | ')} |`);
}

console.log('\nLeft out of the counts, or lost:');
for (const { name, place, url } of documents) {
  for (const engine of engines) {
    const visits = results.get(`${engine.name} ${url}`)!;
    const remarks = new Set(visits.flatMap(({ failed, leftOut }) => [...describeLost(failed.log), ...leftOut]));
    if (remarks.size > 0) console.log(`- ${name}${place}, ${engine.name}: ${[...remarks].join(', ')}`);
  }
}
const differences = [...results.values()].flat().map(({ totalMs }) => Math.abs(totalMs.engine - totalMs.log));
console.log(
  `\n${failures.length} disagreements in ${differences.length} Visits. Total: the largest difference is ${Math.max(...differences).toFixed(1)} ms.`,
);
for (const failure of failures) console.log(`- ${failure}`);
if (failures.length > 0) process.exitCode = 1;

function judge(visits: readonly ComparedVisit[]): string[] {
  const faults = [...new Set(visits.flatMap((each) => each.faults))];
  if (visits.length === 0) return faults;
  const difference = medianDifference(visits);
  // NaN, of a total that is absent, is a fault already.
  return Math.abs(difference) > mostMs ? [...faults, `total: ${difference.toFixed(1)} ms from the log`] : faults;
}

function medianDifference(visits: readonly ComparedVisit[]): number {
  return readMedian(visits.map(({ totalMs }) => totalMs.engine - totalMs.log));
}

function describeCell(visits: readonly ComparedVisit[]): string {
  if (visits.length === 0) return 'failed';
  const { objects, decodedBytes } = visits[0]!;
  const totalMs = readMedian(visits.map((each) => each.totalMs.engine));
  const difference = medianDifference(visits);
  return `${objects.engine} / ${decodedBytes.engine} / ${totalMs.toFixed(0)} (${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(1)})`;
}

function describeLost(count: number): string[] {
  return count === 0 ? [] : [`${count} objects failed`];
}

/** What the document names as its icons: browsers fetch them for their own use. */
async function findIcons(file: string, place: string): Promise<Set<string>> {
  const links = (await readFile(file, 'utf8')).match(/<link\b[^>]*>/gi) ?? [];
  const icons = links.filter((link) => /\bicon\b/i.test(/\brel=["']?([^"'>]*)/i.exec(link)?.[1] ?? ''));
  const addresses = icons.flatMap((link) => /\bhref\s*=\s*["']?([^"' >]+)/i.exec(link)?.[1] ?? []);
  return new Set(addresses.map((address) => new URL(address, `http://documents${place}`).pathname));
}

async function makeOwnFolder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'http-ae-documents-'));
  resources.defer(() => rm(made, { recursive: true, force: true }));
  return made;
}
