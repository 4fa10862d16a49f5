import { splitWords } from '#core/protocol/api/split-words.ts';
import type { PaletteEntry } from './palette-entry.ts';

/** Entries that have every word, at most `limit`: first those whose label begins with the text, then those with all words in the label, then the others. */
export function findEntries(entries: readonly PaletteEntry[], text: string, limit: number): PaletteEntry[] {
  const words = splitWords(text.toLowerCase());
  const start = words.join(' ');
  const found = entries.flatMap((entry) => {
    const label = entry.label.toLowerCase();
    const all = [label, entry.kind, entry.detail ?? '', entry.keywords ?? ''].join('\n').toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const rank = label.startsWith(start) ? 0 : words.every((word) => label.includes(word)) ? 1 : 2;
    return [{ entry, rank }];
  });
  return found
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ entry }) => entry);
}
