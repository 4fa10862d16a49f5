import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findInNames, readComments } from './support/read-comments.ts';
import { readTexts } from './support/read-texts.ts';
import { countWords, findBanned, longestWords, readProse } from './support/sentences.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'httpep/README.md',
  'httpep/CHANGELOG.md',
  ...globSync('changes/*.md', { cwd: root }).sort(),
  ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/contributing/words.md'] }).sort(),
];
const medianWords = 17;

test('a banned phrase and a long sentence are found', () => {
  expect(findBanned('What is wrong is told by field')).toBe('told');
  expect(findBanned('A host that is not known')).toBeNull();
  expect(countWords('One two. Three `a b` four: [five six](x.md).').map(({ words }) => words)).toEqual([2, 5]);
  expect(countWords('`a`, `b`, `c`').map(({ words }) => words)).toEqual([1]);
  expect(readProse('# Title\ntext\ngoes\n\n- one\n  more\n\n| a b | 12 |\n')).toEqual([
    'Title',
    'text goes',
    'one more',
    'a b',
  ]);
});

describe.each(documents)('%s', (file) => {
  const prose = readProse(readFileSync(path.join(root, file), 'utf8'));

  test('has no banned phrase', () => {
    expect(prose.filter((text) => findBanned(text) !== null)).toEqual([]);
  });

  test('has short sentences', () => {
    const sentences = prose.flatMap(countWords);
    const sorted = sentences.map(({ words }) => words).sort((a, b) => a - b);
    expect(sentences.filter(({ words }) => words > longestWords)).toEqual([]);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(medianWords);
  });
});

describe('texts that the programs show', () => {
  const texts = readTexts(['agent', 'cli', 'controller', 'core', 'extension', 'testbed', 'web-ui/src']);

  test('are found', () => {
    expect(texts.length).toBeGreaterThan(1000);
  });

  test('have no banned phrase', () => {
    expect(texts.filter(({ text }) => findBanned(text) !== null).map(({ place, text }) => `${place}: ${text}`)).toEqual(
      [],
    );
  });

  test('have short sentences', () => {
    const long = texts.flatMap(({ place, text }) =>
      countWords(text).flatMap(({ sentence, words }) =>
        words > longestWords ? [`${place}: ${words} words: ${sentence}`] : [],
      ),
    );
    expect(long).toEqual([]);
  });
});

describe('comments', () => {
  const comments = readComments();

  test('are found in all folders of code', () => {
    expect(comments.length).toBeGreaterThan(4000);
    expect([...new Set(comments.map(({ place }) => place.split('/')[0]))].sort()).toEqual(
      expect.arrayContaining([
        'agent',
        'bench',
        'cli',
        'controller',
        'core',
        'docs',
        'extension',
        'probe',
        'testbed',
        'tests',
        'web-ui',
      ]),
    );
  });

  test('have no banned phrase', () => {
    expect(
      comments.filter(({ text }) => findBanned(text) !== null).map(({ place, text }) => `${place}: ${text}`),
    ).toEqual([]);
  });
});

describe('names in code', () => {
  test('are searched word by word', () => {
    expect(findInNames(['recorder']).map(({ text }) => text)).toEqual(expect.arrayContaining(['recorder', 'Recorder']));
  });

  test('have no word that texts do not have either', () => {
    const words = ['tell', 'tells', 'told', 'mend', 'mends', 'mended', 'anew', 'forEver'];
    expect(findInNames(words)).toEqual([]);
  });
});
