import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Between these lines, docs/statistics.md holds what the simulations came to. */
const start = '<!-- calibration: written by tests/calibration/write-tables.ts -->\n';
const end = '\n<!-- end of calibration -->';

export const documentFile = path.resolve(import.meta.dirname, '../../../docs/statistics.md');

export function readStatedTables(): string {
  const { before, after, text } = readDocument();
  return text.slice(before.length, text.length - after.length);
}

/** The document with other tables in the same place. */
export function replaceTables(tables: string): string {
  const { before, after } = readDocument();
  return before + tables + after;
}

function readDocument(): { before: string; after: string; text: string } {
  const text = readFileSync(documentFile, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < 0)
    throw new Error(
      `${documentFile} lacks the lines between which the tables stand: ${start.trim()} and ${end.trim()}`,
    );
  return { before: text.slice(0, from + start.length), after: text.slice(to), text };
}
