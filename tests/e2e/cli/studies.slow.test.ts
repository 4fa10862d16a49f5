import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { findBrowser } from '#cli/find-browser.ts';
import type { JudgedStudy } from '#cli/study/judge-study.ts';
import { readStudies, studiesFolder } from '#controller/studies/read-studies.ts';
import { isOfLoad } from '#core/study/study-definition.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { listVariants } from '#testbed/tcp/set-congestion-control.ts';
import { findVariantObstacle } from '#testbed/tcp/variants/provided-variants.ts';
import { judgeTime } from '#tests/support/judge-time.ts';
import { commandOf, hasVariable, listProcesses } from '#tests/support/list-processes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Of each: a study waits for others that are measured beside it. */
const limitMs = 600_000;

const recordedSites = ['creative', 'sb-admin'];

function pagesOf(sites: readonly string[]): string {
  const pages = sites.map((site, index) => {
    const number = index + 1;
    return `{ site: ${site}, variables: { objects: ${number}, hosts: ${number}, kB: ${number} } }`;
  });
  return `pages=[${pages.join(', ')}]`;
}

/** Each study in a small form: a few parts, one Round (two where the statistics of several are tried, too), few pages and a fast link. */
const small: Record<string, string[]> = {
  'bandwidth-on-demand': ['--part', 'http-2', '--set', 'icons=5'],
  connections: ['--part', 'firefox-1m', '--rounds', '2', '--set', 'rateKbps=20000', 'delayMs=10', 'images={1,10}'],
  'connections-and-vpn': ['--part', 'icons', '--set', 'delayMs=10', 'windowBytes=20000', 'icons={10,40}'],
  gateway: [
    '--part',
    'pep',
    'cache',
    '--set',
    'rateKbps=20000',
    'delayMs=10',
    'terrestrialMs=5',
    'windowBytes=50000',
    'images={1,3}',
    'cachedImages=3',
  ],
  'http2-limits': [
    '--part',
    'streams',
    'resumption',
    'window',
    '--set',
    'forwardKbps=20000',
    'returnKbps=20000',
    'delayMs=100',
  ],
  http3: ['--part', '50ms', '--set', 'objects={5,10}'],
  'httpep-and-http2': ['--part', 'chrome-2m', 'photographs', '--set', 'rateKbps=20000', 'delayMs=10', 'images={1,5}'],
  'httpep-classes': ['--part', 'in-step', '--set', 'rateKbps=20000', 'delayMs=10', 'images={1,3}'],
  'httpep-users': ['--part', 'five-users', '--set', 'rateKbps=20000', 'delayMs=10', 'images={3..3}'],
  httpep: ['--part', '256k', '--set', 'rateKbps=20000', 'delayMs=10', 'images={1,3}'],
  loss: ['--part', '720ms', '--set', 'rateKbps=20000', 'delayMs=10', 'terrestrialMs=5', 'images={3..3}'],
  'protocols-with-pep': [
    '--part',
    '500kb',
    '--set',
    'forwardKbps=20000',
    'returnKbps=20000',
    'delayMs=10',
    'windowBytes=50000',
  ],
  pipelining: ['--part', '1m', '--set', 'rateKbps=20000', 'delayMs=10', 'images={1,10}'],
  protocols: [
    '--part',
    'icons',
    'not-persistent',
    '--set',
    'forwardKbps=20000',
    'returnKbps=20000',
    'delayMs=10',
    'icons=20',
    'closingIcons=12',
  ],
  push: ['--part', 'http', '--set', 'delayMs=10', 'images={2,10}', 'icons=20'],
  'real-time': ['--part', 'chrome', '--set', 'delayMs=10', 'messages=10', 'gapMs=20'],
  sites: ['--part', 'pep', '--set', 'rateKbps=20000', 'delayMs=10', pagesOf(recordedSites)],
  'sites-with-loss': ['--part', 'pep-loss', '--set', 'rateKbps=20000', 'delayMs=10', pagesOf(recordedSites)],
  'tcp-variants': ['--part', '1m', '--set', 'rateKbps=20000', 'delayMs=10', 'images={1,3}'],
  'under-load': ['--part', 'cable', '--set', 'images={1,3}'],
  users: ['--part', 'chrome', '--rounds', '2', '--set', 'rateKbps=20000', 'delayMs=10', 'images={1,3}'],
};

/** They begin first: at the end, nothing waits for one that began late. */
const longest = ['loss', 'http2-limits', 'protocols-with-pep', 'httpep-and-http2', 'connections-and-vpn', 'gateway'];

/** Those that it measures there. */
function partsOf(study: string): string[] {
  const [, ...words] = small[study]!;
  return words.slice(
    0,
    words.findIndex((word) => word.startsWith('--')),
  );
}

/** The programs of each, with Debian's packages. */
const tunnelAndPep = { haproxy: 'haproxy', nft: 'nftables', wg: 'wireguard-tools', 'wireguard-go': 'wireguard-go' };
const programs: Record<string, Record<string, string>> = {
  'connections-and-vpn': tunnelAndPep,
  gateway: { haproxy: 'haproxy', nft: 'nftables', squid: 'squid' },
  'http2-limits': { nft: 'nftables' },
  http3: { caddy: 'caddy' },
  httpep: { ziproxy: 'ziproxy', squid: 'squid' },
  loss: { squid: 'squid', nghttpx: 'nghttp2-proxy', openssl: 'openssl', haproxy: 'haproxy', nft: 'nftables' },
  'protocols-with-pep': tunnelAndPep,
  sites: { haproxy: 'haproxy', nft: 'nftables' },
  'sites-with-loss': { haproxy: 'haproxy', nft: 'nftables' },
};

let chromePath: string;
beforeAll(async () => {
  await using home = await makeTemporaryFolder();
  chromePath = await findBrowser({
    environment: process.env,
    platform: process.platform,
    homeFolder: home.path,
    say: console.error,
    signal: AbortSignal.timeout(60_000),
  });
});

/** Ends with the test, even if that fails. */
interface Started extends AsyncDisposable {
  home: string;
  child: ChildProcess;
  said: () => string;
  printed: () => string;
}

/** Data and results of a study are in folders of this one. */
function start(study: string, folder: string): Started {
  const home = path.join(folder, 'home');
  const output = path.join(folder, 'results');
  const words = ['study', 'run', study, '--rounds', '1', ...small[study]!, '--output', output, '--json'];
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(root, 'cli/main.ts'), ...words],
    {
      env: {
        ...process.env,
        HTTP_AE_HOME: home,
        HTTP_AE_TEST_HOME: home,
        HTTP_AE_CHROME: chromePath,
        DATABASE_URL: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  let [said, printed] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return {
    ...{ home, child, said: () => said, printed: () => printed },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function runToEnd(study: string, folder: string): Promise<Started> {
  await using started = start(study, folder);
  const [exitCode] = (await once(started.child, 'close')) as [number | null];
  expect(exitCode, started.said()).toBe(0);
  return started;
}

function expectNothingLeft({ child, home }: Started): void {
  const processes = listProcesses((pid) => hasVariable(pid, `HTTP_AE_TEST_HOME=${home}`)).map(commandOf);
  expect(processes).toEqual([]);
  expect(listNamespaces().filter(({ owner }) => owner.pid === child.pid)).toEqual([]);
}

test('each study is here', () => {
  const there = readdirSync(path.join(root, 'studies'));
  expect(Object.keys(small).sort()).toEqual(there.sort());
});

/** The studies that break a closed form beside others: only alone can that be a fault of theirs. */
const broken = new Set<string>();

/** Side by side: most of a study is waiting. */
describe.concurrent('beside other studies', { timeout: limitMs }, () => {
  test.for([...new Set([...longest, ...Object.keys(small)])].filter((study) => study !== 'users'))(
    'the study %s is measured, drawn and judged',
    async (study, { skip }: TestContext) => {
      const missing = findMissingTools(pathWithTools(process.env), programs[study] ?? {});
      skip(missing.length > 0, `${missing.join(', ')} not installed`);
      const obstacle = study === 'tcp-variants' && !(await listVariants([])).includes('hybla') && findVariantObstacle();
      skip(obstacle !== false && obstacle !== null, `its TCP variants cannot be loaded: ${obstacle}`);
      await using folder = await makeTemporaryFolder();
      const done = await runToEnd(study, folder.path);
      for (const part of partsOf(study)) expectResults(folder.path, part);
      await expectFiguresOfPackets(study, folder.path);
      if (listBroken(done.printed()).length > 0) broken.add(study);
      expectNothingLeft(done);
    },
  );

  test('a study that Ctrl-C ended leaves nothing running, continues its Run, and is not measured a third time', async () => {
    await using folder = await makeTemporaryFolder();
    await using first = start('users', folder.path);
    await expect.poll(first.said, { timeout: 240_000 }).toContain('Run 1: 1 of 4 Rounds');
    process.kill(-first.child.pid!, 'SIGINT'); // as a terminal does: to the whole group
    const [exitCode] = (await once(first.child, 'exit')) as [number | null];
    expect(exitCode).toBe(130);
    expectNothingLeft(first);
    expect(existsSync(path.join(folder.path, 'results/findings.md'))).toBe(false);

    const second = await runToEnd('users', folder.path);
    expect(second.said()).toContain('Part 1 of 1: chrome, continued.');
    expect(second.said()).toContain('Run 1 completed: 4 of 4 Rounds');
    expect(second.said()).not.toContain('Run 1: 0 of 4 Rounds');
    expectResults(folder.path, 'chrome');
    expectNothingLeft(second);

    const third = await runToEnd('users', folder.path);
    expect(third.said()).toContain('1 of 1 parts are measured already');
    expect(third.said()).not.toContain('Run 1');
    expect(third.printed()).toBe(second.printed());
  });
});

test('closed forms that a study broke beside others hold alone', { timeout: 3 * limitMs }, async (context) => {
  for (const study of broken)
    await judgeTime(context, {
      measure: async () => {
        await using folder = await makeTemporaryFolder();
        return listBroken((await runToEnd(study, folder.path)).printed());
      },
      holds: (laws) => expect(laws, study).toEqual([]),
      // Of this process, which starts others.
      limits: { lateMs: 250 },
    });
});

/** Of the closed forms of the parts that were measured, of which there is one at least. */
function listBroken(printed: string): object[] {
  const { closedForms } = JSON.parse(printed) as JudgedStudy;
  const judged = closedForms.flatMap(({ law, checks }) =>
    checks
      .filter(({ estimate }) => estimate !== null)
      .map(({ verdict, estimate, limits, page }) => ({ law, verdict, page, value: estimate!.value, limits })),
  );
  expect(judged.length).toBeGreaterThan(0);
  return judged.filter(({ verdict }) => verdict !== 'holds');
}

/** What a study draws of packets alone: loads over time, and bytes at a Capture Point. */
async function expectFiguresOfPackets(name: string, folder: string): Promise<void> {
  const measured = partsOf(name);
  const { figures } = (await readStudies(studiesFolder)).find((study) => study.name === name)!;
  const findings = readFileSync(path.join(folder, 'results/findings.md'), 'utf8');
  const drawn = [...findings.matchAll(/^!\[(.*?)\]/gm)].map(([, title]) => title!);
  for (const figure of figures) {
    if (isOfLoad(figure) && measured.includes(figure.part))
      expect(drawn).toEqual(
        expect.arrayContaining([
          `Received in bins of 100 ms: ${figure.title}`,
          `Sent in bins of 100 ms: ${figure.title}`,
          `Connections of ${figure.title}: activity`,
        ]),
      );
    if ('at' in figure && figure.parts?.some((part) => measured.includes(part)))
      expect(drawn.filter((title) => title.startsWith(figure.title))).not.toEqual([]);
  }
}

function expectResults(folder: string, part: string): void {
  const output = path.join(folder, 'results');
  const files = readdirSync(path.join(output, part));
  expect(files).toEqual(expect.arrayContaining(['report.html', 'run.bundle.gz', 'visits.csv']));
  const findings = readFileSync(path.join(output, 'findings.md'), 'utf8');
  expect(findings).toMatch(/^\| .* \| \*\*.*\*\* \|$/m);
  const linked = [...findings.matchAll(/\]\((figures\/[^)]+)\)/g)].map(([, file]) => decodeURI(file!));
  const drawn = readdirSync(path.join(output, 'figures'), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.extname(file) !== '')
    .map((file) => `figures/${file}`);
  expect(drawn.filter((file) => file.startsWith(`figures/${part}/`)).length).toBeGreaterThanOrEqual(2);
  expect(linked.sort()).toEqual(drawn.sort());
  for (const file of drawn) {
    const text = readFileSync(path.join(output, file), 'utf8');
    expect(text).toMatch(file.endsWith('.svg') ? /^<svg [\s\S]*<\/svg>\n$/ : /^[^\r]+\r\n[^\r]*\d/);
  }
}
