import { createWriteStream } from 'node:fs';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ZipFile } from 'yazl';
import { issueToken } from '#controller/people/tokens.ts';
import { mostIndexBytes } from '#core/site/site.ts';
import { mostHarWithBodiesBytes } from '#site/import-har.ts';
import { writeSite, type RecordedSite } from '#site/write-site.ts';
import { startTestController } from '#tests/support/controller.ts';
import { makeRecordedExchange, makeRecordedSite, recordedEpochMs } from '#tests/support/make-recorded-site.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { findChrome } from '../../browser/support/find-chrome.ts';
import { noIcon, servePages } from '../../browser/support/serve-pages.ts';
import { holdForAll } from '#tests/support/hold.ts';

let token: string;
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  ({ token } = await issueToken(it.controller.pool, { name: 'evaluator', scope: 'api' }));
});
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  return () => folder[Symbol.asyncDispose]();
});

/** What a user sees: a sentence, and the status of wrong input. What the command made is gone. */
async function expectRefusal(args: string[], sentence: RegExp): Promise<void> {
  const before = await readdir(folder.path);
  const environment = { HTTP_AE_CHROME: findChrome(), HTTP_AE_HOME: folder.path, TMPDIR: folder.path };
  const { exitCode, stdout, stderr } = await runCli(args, environment);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toContain('    at ');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(await readdir(folder.path)).toEqual(before);
}

const inFolder = (name: string) => path.join(folder.path, name);

async function makeFile(name: string, change: Partial<RecordedSite> = {}): Promise<string> {
  await writeSite(inFolder(name), makeRecordedSite(change), { nowEpochMs: recordedEpochMs });
  return inFolder(name);
}

/** A recording with one page at this address. */
function makeFileAt(name: string, url: string): Promise<string> {
  const { hosts, pages } = makeRecordedSite();
  return makeFile(name, {
    title: name,
    hosts: [{ ...hosts[0]!, name: new URL(url).hostname }],
    pages: [{ ...pages[0]!, url }],
    exchanges: [makeRecordedExchange({ url })],
  });
}

async function makeZip(name: string, files: Record<string, Buffer>): Promise<string> {
  const zip = new ZipFile();
  for (const [each, bytes] of Object.entries(files)) zip.addBuffer(bytes, each);
  zip.end();
  await pipeline(zip.outputStream as Readable, createWriteStream(inFolder(name)));
  return inFolder(name);
}

test('a truncated recording is refused by each command that reads one', async () => {
  const file = await makeFile('cut.wacz');
  await truncate(file, (await readFile(file)).length - 30);
  const sentence = /^cut\.wacz is no whole WACZ: .*\. Get the file again\n$/;
  await expectRefusal(['site', 'show', file], sentence);
  await expectRefusal(['site', 'export', file, '--to', inFolder('cut.har')], sentence);
});

test('an archive of another program, and a zip bomb, are refused before anything is unpacked', async () => {
  const archive = { 'archive/data.warc.gz': Buffer.from('WARC') };
  const foreign = await makeZip('foreign.wacz', { ...archive, 'datapackage.json': Buffer.from('{}') });
  await expectRefusal(['site', 'show', foreign], /^foreign\.wacz was not written by HTTP-AE: .*"site record"/);
  const bomb = await makeZip('bomb.wacz', { ...archive, 'http-ae/site.json': Buffer.alloc(mostIndexBytes + 1, ' ') });
  expect((await readFile(bomb)).length).toBeLessThan(1_000_000);
  await expectRefusal(['site', 'show', bomb], /^bomb\.wacz has an index of 67108865 bytes, more than the limit/);
});

test('a HAR that is too large, and one without bodies, become no recording', async () => {
  await writeFile(inFolder('large.har'), '');
  await truncate(inFolder('large.har'), mostHarWithBodiesBytes + 1);
  const to = ['--to', inFolder('new.wacz')];
  await expectRefusal(['site', 'import', inFolder('large.har'), ...to], /has more than 400 MiB: save fewer pages\n$/);
  const entry = {
    startedDateTime: '2026-11-28T10:00:00.000Z',
    request: { url: 'https://shop.test/', method: 'GET' },
    response: { status: 200, content: { size: 5 } },
  };
  const har = { log: { creator: { name: 'test' }, entries: [entry] } };
  await writeFile(inFolder('bare.har'), JSON.stringify(har));
  await expectRefusal(['site', 'import', inFolder('bare.har'), ...to], /^bare\.har has no bodies: save it again/);
});

test('a body of 1 GB ends a recording, and leaves no file, no body and no browser', { timeout: 300_000 }, async () => {
  const part = Buffer.alloc(1_000_000, 'x');
  let sent = 0;
  await using server = await servePages({
    '/': `${noIcon}<script>fetch('/large').then((r) => r.text())</script>`,
    '/large': (response) => {
      const write = () => {
        while (sent < 1000 && !response.destroyed) {
          sent++;
          if (!response.write(part)) return void response.once('drain', write);
        }
        response.end();
      };
      sent = 0;
      write();
    },
  });
  const args = ['site', 'record', server.url, '--to', inFolder('large.wacz'), '--visits', '1'];
  await expectRefusal(args, /The recording is larger than a Site can be: a body has more than 256 MiB\. Record fewer/);
  expect(sent).toBeLessThan(1000);
});

/** An Evaluation of these pages of Sites, as a file. */
async function writeEvaluation(...entries: object[]): Promise<string> {
  const { scenarios, userAgents, ...rest } = makeEvaluation();
  const document = {
    ...rest,
    urlLists: { pages: entries },
    userAgents: userAgents.map((each) => ({ ...each, urlList: 'pages' })),
    scenarios: scenarios.map((scenario) => ({ ...scenario, network: { link: 'none' } })),
  };
  await writeFile(inFolder('evaluation.yaml'), stringify(document));
  return inFolder('evaluation.yaml');
}

async function expectNotMeasured(sentence: RegExp, ...entries: object[]): Promise<void> {
  const file = await writeEvaluation(...entries);
  await expectRefusal(['evaluate', file, '--controller', it.controller.localUrl, '--token', token], sentence);
  expect(await (await it.program('/api/evaluations')).json()).toEqual([]);
  for (const { id } of (await (await it.program('/api/sites')).json()) as { id: string }[])
    await it.program(`/api/sites/${id}`, { method: 'DELETE' });
  const kept = await readdir(path.join(it.artefactsFolder, 'sites'), { recursive: true, withFileTypes: true });
  expect(kept.filter((entry) => entry.isFile())).toEqual([]);
}

test('"evaluate" with a truncated recording stores neither the file nor the Evaluation', async () => {
  const file = await makeFile('cut.wacz');
  await truncate(file, (await readFile(file)).length - 30);
  await expectNotMeasured(/The file is no whole WACZ/, { site: './cut.wacz' });
});

test('"evaluate" refuses Sites that cannot be replayed, or not together, before anything is set up', async () => {
  await makeFileAt('one.wacz', 'https://shop.test/one');
  await makeFileAt('two.wacz', 'https://shop.test/two');
  await expectNotMeasured(
    /The Sites "one\.wacz" and "two\.wacz" both have the host shop\.test: load them in Evaluations of their own\n$/,
    { site: './one.wacz' },
    { site: './two.wacz' },
  );
  await makeFileAt('address.wacz', 'https://192.0.2.7/');
  const isNoName =
    /Page 1 of the Site "(address|port|local)\.wacz" cannot be replayed: its address .* is no name of a host/;
  await expectNotMeasured(isNoName, { site: './address.wacz' });
  await makeFileAt('port.wacz', 'https://shop.test:8443/');
  await expectNotMeasured(isNoName, { site: './port.wacz' });
  await makeFileAt('local.wacz', 'https://shop.localhost/');
  await expectNotMeasured(isNoName, { site: './local.wacz' });
  await expectNotMeasured(/there is no Site "nowhere"/, { site: 'nowhere' });
});
