import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { inlineJourneys } from '#cli/evaluate/evaluate-file.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const recording = { title: 'Log in', timeout: 5000, steps: [{ type: 'navigate', url: 'http://a.test/' }] };
const lists = '  pages:\n    - journey: { file: in.json, title: Mine }\n    - http://b.test/\n';

test('a file of the Recorder that a journey names stands in its place, and every line keeps its number', async () => {
  await using folder = await makeTemporaryFolder();
  await writeFile(path.join(folder.path, 'in.json'), JSON.stringify(recording));
  const inlined = await inlineJourneys(`urlLists:\n${lists}`, path.join(folder.path, 'mine.yaml'));
  expect(parse(inlined)).toEqual({
    urlLists: { pages: [{ journey: { ...recording, title: 'Mine' } }, 'http://b.test/'] },
  });
  expect(inlined.split('\n').length).toBe(`urlLists:\n${lists}`.split('\n').length);
});

test('a file that is no recording is named, with what is wrong and where', async () => {
  await using folder = await makeTemporaryFolder();
  const yamlFile = path.join(folder.path, 'mine.yaml');
  await expect(inlineJourneys(lists, yamlFile)).rejects.toThrow(
    /in\.json cannot be read .* \(named in .*mine\.yaml:2\)/,
  );
  await writeFile(path.join(folder.path, 'in.json'), JSON.stringify({ ...recording, steps: [] }));
  await expect(inlineJourneys(lists, yamlFile)).rejects.toThrow(/in\.json: steps must have at least one step/);
});
