import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openChromeEngine } from '#agent/engines/open-engines.ts';
import { makeOwnFolder, removeAbandonedFolders } from '#agent/own-folder.ts';
import { AppError } from '#core/app-error.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { writeSite, type RecordedSite } from '#site/write-site.ts';
import type { ControllerClient } from '../controller/controller-client.ts';
import { uploadSite } from '../evaluate/upload-sites.ts';
import { findBrowser } from '../find-browser.ts';
import { findHome, makeFolder, readVersion } from '../installation.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { corpusSites, type CorpusSite } from './corpus/corpus-sites.ts';
import { fetchPackage, nameOf } from './corpus/fetch-package.ts';
import { servePackage } from './corpus/serve-package.ts';
import { countHosts, nameHosts } from './corpus/spread-files.ts';
import { recordPages } from './record-pages.ts';

/** The command: prints the files. */
export async function runFetchCorpus(names: readonly string[], { to }: { to: string }): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const { env: environment, platform } = process;
  const homeFolder = findHome(environment);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const chromePath = await findBrowser({ environment, platform, homeFolder, say, signal });
  const packagesFolder = findPackages(homeFolder);
  for (const file of await fetchCorpus(names, { folder: to, packagesFolder, chromePath, say, signal }))
    process.stdout.write(`${file}\n`);
}

/** Where downloaded packages are kept. */
function findPackages(homeFolder: string): string {
  return path.join(homeFolder, 'corpus-packages');
}

interface CorpusOptions {
  /** Gets `NAME.wacz` for each. What is there already stays. */
  folder: string;
  /** Keeps the packages, so that nothing is downloaded twice. */
  packagesFolder: string;
  chromePath: string;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Makes recordings of pages that come with packages of npm and Debian, each with hosts of its own. Returns their files. Throws `invalid-input` for a name that the corpus has not. */
export async function fetchCorpus(names: readonly string[], options: CorpusOptions): Promise<string[]> {
  const known = new Map(corpusSites.map((site) => [site.name, site]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new AppError(
      'invalid-input',
      `The corpus has no ${unknown.join(', ')}. It has: ${[...known.keys()].join(', ')}`,
    );
  makeFolder(options.folder);
  makeFolder(options.packagesFolder);
  const files: string[] = [];
  for (const site of names.length > 0 ? names.map((name) => known.get(name)!) : corpusSites) {
    const file = path.join(options.folder, `${site.name}.wacz`);
    files.push(file);
    if (existsSync(file)) continue;
    await recordOne(site, { ...options, file });
  }
  return files;
}

interface UploadOptions extends Pick<CorpusOptions, 'chromePath' | 'say' | 'signal'> {
  homeFolder: string;
}

/** Makes the recording of a page, and uploads it, where the Controller has none of this name. Returns what the Controller calls it. Throws `invalid-input` for a name that the corpus has not. */
export async function uploadCorpusSite(
  client: ControllerClient,
  name: string,
  { homeFolder, ...options }: UploadOptions,
): Promise<string> {
  if ((await client.listSites()).some((site) => site.name === name)) return name;
  const folder = path.join(homeFolder, 'corpus');
  const [file] = await fetchCorpus([name], { ...options, folder, packagesFolder: findPackages(homeFolder) });
  return uploadSite(client, file!);
}

async function recordOne(
  site: CorpusSite,
  { file, packagesFolder, chromePath, say, signal }: CorpusOptions & { file: string },
): Promise<void> {
  const source = nameOf(site.source);
  say(`${site.name}: ${source}, ${site.licence}`);
  const folder = await fetchPackage(site.source, { folder: packagesFolder, signal });
  signal.throwIfAborted();
  const hosts = nameHosts(site.name, countHosts(site.objects));
  await using server = await servePackage(folder, hosts);
  const engine = await openChromeEngine({ executablePath: chromePath, log: { warn: say } });
  await removeAbandonedFolders(tmpdir(), 'recording');
  const url = `https://${hosts[0]}${site.path}`;
  await untilWhole(async () => {
    await using own = await makeOwnFolder(tmpdir(), 'recording');
    const { recorded, incomplete } = await recordPages([{ url }], {
      open: (settings) => engine.open({ ...settings, urls: [url], signal }),
      folder: own.path,
      visits: 1,
      trustedKeys: [server.trustedKey],
      // What else a page asks for is no part of its package, and nothing leaves this machine.
      connectTo: ({ host }) => ({ host: '127.0.0.1', port: hosts.includes(host) ? server.port : refusedPort }),
      software: `HTTP-AE ${readVersion()}, from ${source} (${site.licence})`,
      say: () => undefined,
      signal,
    });
    const lacking = [...incomplete].find(([of]) => hosts.includes(URL.parse(of)?.hostname ?? of));
    if (lacking) throw new IncompleteError('recording-failed', `${site.name} lacks ${lacking.join(': ')}`);
    await writeSite(file, declareTimes({ ...recorded, title: site.name }, hosts[0]!), {
      nowEpochMs: epochClock(),
      signal,
    });
  });
}

/** An answer of the package did not come whole. */
class IncompleteError extends AppError {}

const mostAttempts = 10;

/** Chrome gives up its loads when an interface of the machine comes or goes, as those of testbeds do. The page is recorded again then. */
async function untilWhole(record: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await record();
      return;
    } catch (error) {
      const mayPass = error instanceof IncompleteError || String(error).includes('ERR_NETWORK_CHANGED');
      if (attempt === mostAttempts || !mayPass) throw error;
    }
  }
}

/** Port 1 (tcpmux): nobody listens there. */
const refusedPort = 1;

/** Of the page's own host, and of a document. Invented: a recording on one machine knows no distance. */
const ownRoundTripMs = 40;
const documentThinkMs = 80;
const fileThinkMs = 5;

/** Round trips of 10 to 60 ms by the name of the host, and times of thought by what is sent. */
export function declareTimes(recorded: RecordedSite, ownHost: string): RecordedSite {
  return {
    ...recorded,
    hosts: recorded.hosts.map((host) => ({
      ...host,
      connectMs:
        host.name === ownHost ? ownRoundTripMs : 10 + (createHash('sha256').update(host.name).digest()[0]! % 51),
    })),
    exchanges: recorded.exchanges.map((exchange) => ({
      ...exchange,
      thinkMs: /\.html?(?:$|[?#])/.test(exchange.url) ? documentThinkMs : fileThinkMs,
    })),
  };
}
