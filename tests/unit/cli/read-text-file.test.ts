import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inlineJourneys } from '#cli/evaluate/evaluate-file.ts';
import { inlineRateTraces } from '#cli/evaluate/inline-files.ts';
import { readInventory } from '#cli/hosts/inventory/read-inventory.ts';
import { readTextFile } from '#httpep/command/read-text-file.ts';
import { readLinkProfile } from '#cli/testbed/run-testbed.ts';
import { readStudies } from '#controller/studies/read-studies.ts';
import { readClasses } from '#httpep/command/run-pep.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { runInProcess } from './support/run-in-process.ts';

const failureOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );
const command = async (args: string[]) => (await runInProcess(args)).stderr;
const remote = ['pep', 'remote', '--listen', '127.0.0.1:0', '--ground', 'a:1', '--key'];
async function withPasswords(file: string): Promise<string> {
  const key = path.join(path.dirname(file), 'key');
  await writeFile(key, 'k'.repeat(40), { mode: 0o600 });
  return command([...remote, key, '--credentials', file]);
}
const byYaml = (read: (yaml: string, file: string) => Promise<string>, key: string) => (file: string) =>
  failureOf(read(`${key}: { file: ${path.basename(file)} }`, path.join(path.dirname(file), 'any.yaml')));

/** Each way in for a file, and what comes of one that is wrong. */
const ways: [string, (file: string) => Promise<string>][] = [
  ['an Evaluation', (file) => command(['evaluate', file])],
  ['a journey', byYaml(inlineJourneys, 'journey')],
  ['a rate trace', byYaml(inlineRateTraces, 'rateTrace')],
  ['a link profile', (file) => failureOf(readLinkProfile(file))],
  ['an inventory', (file) => failureOf(readInventory(file))],
  ['classes', (file) => failureOf(readClasses(file))],
  ['the key of HTTPEP', (file) => command([...remote, file])],
  ['passwords', withPasswords],
  [
    'the token of an Agent',
    (file) => command(['agent', '--controller', 'http://a.test', '--name', 'a', '--token-file', file]),
  ],
  ['a study', (file) => failureOf(readStudies(path.dirname(path.dirname(file))))],
];

test.each(ways)('%s that is not UTF-8 is refused by file and line', async (_, read) => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'study', 'study.yaml');
  await mkdir(path.dirname(file));
  await writeFile(file, Buffer.from('name: a\nurl: "http://a.test/?q=café"\n', 'latin1'));
  expect(await read(file)).toContain(`${file}, line 2: the byte E9 at offset 34 is not UTF-8. Save it as UTF-8`);
  await writeFile(file, Buffer.from('\uFEFFname: a\n', 'utf16le'));
  expect(await read(file)).toContain(`${file} is UTF-16, and must be UTF-8`);
});

test.each([
  ['an Evaluation', inlineJourneys],
  ['a link profile', inlineRateTraces],
] as const)('%s with thousands of brackets is left to its reader', async (_, inline) => {
  const deep = `a: ${'['.repeat(5000)}`;
  expect(await inline(deep, '/any.yaml')).toBe(deep);
});

test.each([
  ['a link profile', readLinkProfile],
  ['an inventory', readInventory],
  ['classes', readClasses],
] as const)('%s with thousands of brackets is refused with a sentence', async (_, read) => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'deep.yaml');
  await writeFile(file, `a: 1\nb: ${'['.repeat(5000)}`);
  expect(await failureOf(read(file))).toContain(`${file}:2: the text has more than 100 mappings and lists`);
  await writeFile(file, 'a: { weight: .inf }');
  expect(await failureOf(read(file))).toContain(`${file}:1: a.weight: must be a finite number, not .inf`);
});

test('a file without an end is read no further than a text may be long', async () => {
  expect(await failureOf(readTextFile('/dev/zero', 'name another'))).toBe(
    '/dev/zero has more than 4000000 bytes: name a smaller file',
  );
});

test('a recording with a byte order mark is read', async () => {
  await using folder = await makeTemporaryFolder();
  const recording = { title: 'a', steps: [{ type: 'navigate', url: 'http://a.test/' }] };
  await writeFile(path.join(folder.path, 'in.json'), `\uFEFF${JSON.stringify(recording)}`);
  expect(await inlineJourneys('journey: { file: in.json }', path.join(folder.path, 'a.yaml'))).toContain('"title":"a"');
});
