import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trySideBySide } from '#cli/study/try-side-by-side.ts';
import { readStudies, studiesFolder } from '#controller/studies/read-studies.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('a study is measured alone and beside two others at once, compared, and not measured a second time', async () => {
  await using home = await makeTemporaryFolder();
  const said: string[] = [];
  const options = {
    homeFolder: home.path,
    set: { rounds: 2, rateKbps: 20_000, delayMs: 10, images: '{1,3}' },
    say: (line: string) => void said.push(line),
    signal: AbortSignal.timeout(840_000),
  };
  const studies = await readStudies(studiesFolder);
  const judgement = await trySideBySide(studies, options);
  expect(judgement.text).toMatch(
    /^Beside two others, a study (has|may have) .*: page load times differ by -?\d+\.\d % .* with direct, .* with HTTPEP\./,
  );
  expect(said.slice(-2)).toEqual(['Measured alone', 'Measured 3 times at once']);
  expect(existsSync(`${home.path}/studies/side-by-side`)).toBe(false);
  expect(listNamespaces().filter(({ owner }) => owner.pid === process.pid)).toEqual([]);

  said.length = 0;
  expect(await trySideBySide(studies, options)).toMatchObject(judgement);
  expect(said).toEqual([]);
}, 900_000);
