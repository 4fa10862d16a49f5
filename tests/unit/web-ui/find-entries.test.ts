import { expect, it } from 'vitest';
import { findEntries, type PaletteEntry } from '#web-ui/src/app/palette/palette.tsx';

const entry = (label: string, own: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: label,
  kind: 'Page',
  label,
  to: '/',
  ...own,
});
const entries = [
  entry('Two proxies', { kind: 'Evaluation', detail: 'Runs over a satellite' }),
  entry('Compare Runs'),
  entry('Runs'),
  entry('Audit log', { kind: 'Setting', keywords: 'who did what' }),
];
const find = (text: string, limit = 10) => findEntries(entries, text, limit).map(({ label }) => label);

it('finds by every word in label, kind, detail and keywords: the best labels first', () => {
  expect(find('runs')).toEqual(['Runs', 'Compare Runs', 'Two proxies']);
  expect(find('satellite TWO')).toEqual(['Two proxies']);
  expect(find('who setting')).toEqual(['Audit log']);
  expect(find('runs audit')).toEqual([]);
});

it('lists everything, up to the limit, before a word is typed', () => {
  expect(find(' ')).toHaveLength(4);
  expect(find('', 2)).toEqual(['Two proxies', 'Compare Runs']);
});
