import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { writeCaption, writeCitation } from '#web-ui/src/figures/write-caption.ts';

const facts = {
  evaluationName: 'Two protocols',
  runId: '7',
  seed: 42,
  isRandomOrder: true,
  roundsCounted: 20,
  visits: 120,
  confidence: 0.95,
  intervalConfidence: 0.95,
  version: '0.1.0',
};

test('a caption has n, the method, the seed and the version', () => {
  expect(writeCaption('Load time by images', facts)).toBe(
    'Load time by images. n = 20 Rounds with 120 Visits, of Run 7 of “Two protocols”. Intervals are 95 % t intervals, over Rounds. Differences are paired by Block. The order of Scenarios is random, with seed 42. Measured with HTTP-AE 0.1.0.',
  );
});

test('a caption says where intervals were corrected for earlier looks', () => {
  expect(writeCaption('x', { ...facts, intervalConfidence: 0.975, version: null })).toContain(
    '95 % t intervals, computed at 97.5 % because the Run was looked at before its end',
  );
});

test('a caption claims a random order only where the seed drew it', () => {
  const caption = writeCaption('x', { ...facts, isRandomOrder: false });
  expect(caption).not.toContain('random');
  expect(caption).toContain('Seed 42.');
});

test('the citation is that of CITATION.cff', async () => {
  const cff = parse(await readFile('CITATION.cff', 'utf8')) as {
    title: string;
    version: string;
    authors: { name: string }[];
  };
  expect(writeCitation(cff.version)).toBe(
    `@software{http-ae, author = {{${cff.authors[0]!.name}}}, title = {${cff.title}}, version = {${cff.version}}}`,
  );
});
