import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FoundText } from './read-texts.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const generated = new Set(['dist', 'node_modules', 'corpus']);

/** Blocks, and what follows `//` at the beginning of a line or after a space. */
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm;

/** Every comment of code and style sheets, without what is in backticks. Migrations stay as they were. */
export function readComments(): FoundText[] {
  const files = globSync('*/**/*.{ts,tsx,css}', { cwd: root, exclude: (name) => generated.has(name) });
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...text.matchAll(comment)].map(({ 0: found, index }) => ({
      place: `${file}:${text.slice(0, index).split('\n').length}`,
      text: found
        .replace(/\n\s*\*/g, ' ')
        .replace(/`[^`]*`/g, '')
        .replace(/\s+/g, ' '),
    }));
  });
}
