import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FoundText } from './read-texts.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const generated = new Set(['dist', 'node_modules', 'corpus']);

/** Blocks, and what follows `//` at the beginning of a line or after a space. */
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm;

/** Code and style sheets. Migrations stay as they were. */
function readSources(): { file: string; text: string }[] {
  const files = globSync('*/**/*.{ts,tsx,css}', { cwd: root, exclude: (name) => generated.has(name) });
  return files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** Every comment, without what is in backticks. */
export function readComments(): FoundText[] {
  return readSources().flatMap((source) =>
    matchAll(source, comment).map(({ place, text }) => ({
      place,
      text: text
        .replace(/\n\s*\*/g, ' ')
        .replace(/`[^`]*`/g, '')
        .replace(/\s+/g, ' '),
    })),
  );
}

/** Every place where code has one of these words, alone or as a part of a name. The files that list the words are left out. */
export function findInNames(words: readonly string[]): FoundText[] {
  const first = `(?<![A-Za-z])(?:${words.join('|')})(?![a-z])`;
  const later = `(?<=[a-z\\d])(?:${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('|')})(?![a-z])`;
  const listing = path.join('tests', 'unit', 'docs');
  return readSources()
    .filter(({ file }) => !file.startsWith(listing))
    .flatMap((source) => matchAll(source, new RegExp(`${first}|${later}`, 'g')));
}

function matchAll({ file, text }: { file: string; text: string }, pattern: RegExp): FoundText[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    text: found,
  }));
}
