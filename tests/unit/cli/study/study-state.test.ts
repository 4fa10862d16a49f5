import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { explainForeignRun } from '#cli/study/check-bundles.ts';
import { runInTurn } from '#cli/study/run-studies.ts';
import { StudyState } from '#cli/study/study-state.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const ofPart = { evaluationSha256: 'a', instanceId: 'here', runId: '7', isMeasured: false };

test('a study that is begun again goes on with the Runs that this database has of the same Evaluations', async () => {
  await using folder = await makeTemporaryFolder();
  const before = await StudyState.open(path.join(folder.path, 'results'), 'users');
  await before.record('chrome', ofPart);
  await before.record('firefox', { ...ofPart, instanceId: 'elsewhere', runId: '8' });
  await before.record('opera', { ...ofPart, runId: '9' });
  const state = await StudyState.open(path.join(folder.path, 'results'), 'users');
  const parts = ['chrome', 'firefox', 'opera', 'safari'].map((name) => ({
    ...{ name, evaluationSha256: name === 'opera' ? 'changed' : 'a' },
  }));
  expect(state.findBegun(parts, 'here')).toEqual([{ part: parts[0], runId: '7' }]);
  expect(state.find('chrome', 'a')).toEqual(ofPart);
  expect(state.find('opera', 'changed')).toBeNull();
  expect([...state.listUnmeasured('here', { except: ['opera'] })]).toEqual([['7', 'chrome']]);
  await state.record('chrome', { ...ofPart, isMeasured: true });
  expect([...state.listUnmeasured('here', { except: ['opera'] })]).toEqual([]);
});

test('a folder of another study is refused, and so is one whose state is none', async () => {
  await using folder = await makeTemporaryFolder();
  await (await StudyState.open(folder.path, 'users')).record('chrome', ofPart);
  await expect(StudyState.open(folder.path, 'push')).rejects.toThrow(/has results of the study "users"/);
  await writeFile(path.join(folder.path, 'state.json'), '{}');
  await expect(StudyState.open(folder.path, 'users')).rejects.toThrow(/state\.json/);
});

test('bundles are judged together where each is another part of one study', () => {
  const before = { evaluationName: 'Users, Firefox', judged: 'users', taken: new Set(['chrome']) };
  const explain = (name: string, part: string) => explainForeignRun({ study: { name }, part }, before);
  expect(explain('users', 'firefox')).toBeNull();
  expect(
    explainForeignRun({ study: { name: 'push' }, part: 'chrome' }, { ...before, judged: undefined, taken: new Set() }),
  ).toBeNull();
  expect(explain('users', 'chrome')).toBe('is a second Run of the part "chrome": name one of them');
  expect(explain('push', 'firefox')).toBe(
    'belongs to the study "push", the first file to "users": check one study at a time',
  );
  expect(explainForeignRun(undefined, before)).toBe('has a Run of "Users, Firefox", which is no part of a study');
});

test('studies run one after the other, and then those that change nothing for each other, three at a time', async () => {
  const log: string[] = [];
  let running = 0;
  let most = 0;
  const run = (kind: string) => async (study: string) => {
    log.push(`${kind} ${study}`);
    most = Math.max(most, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
    if (running === 0) log.push('none runs');
  };
  const studies = ['a', 'b', 'c', 'd', 'e', 'f'];
  const together = ['b', 'd', 'e', 'f'];
  await runInTurn(studies, { together, run: run('alone'), runBeside: run('beside') });
  expect(log).toEqual([
    ...['alone a', 'none runs', 'alone c', 'none runs'],
    ...['beside b', 'beside d', 'beside e', 'beside f', 'none runs'],
  ]);
  expect(most).toBe(3);
});
