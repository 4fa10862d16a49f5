import { expect, it } from 'vitest';
import { findEntries, listActions, type PaletteEntry } from '#web-ui/src/app/palette/palette.tsx';
import { listWords } from '#web-ui/vite.config.ts';

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

it('finds a document of Help by any of its words, after what is named so', () => {
  const help = entry('How Scenarios are compared', {
    kind: 'Help',
    text: listWords('Two-sided. Equivalence: a margin'),
  });
  expect(findEntries([help, ...entries], 'equivalence', 10)).toEqual([help]);
  expect(findEntries([help, entry('Margins')], 'margin', 10).map(({ label }) => label)).toEqual([
    'Margins',
    help.label,
  ]);
});

it('offers what can be done with the Run that is shown, or else with the newest that has ended', () => {
  const runs = [
    { id: '9', state: 'running' as const },
    { id: '7', state: 'completed' as const },
  ];
  const act = (pathname: string, mayChange = true) => listActions(runs, { pathname, mayChange });
  const [share] = findEntries(act('/'), 'share', 1);
  expect(share).toMatchObject({ label: 'Share the Comparison of Run 7', to: '/runs/7/comparison?open=share' });
  expect(findEntries(act('/runs/3/visits'), 'add rounds', 1)[0]!.to).toBe('/runs/3?open=add-rounds');
  expect(findEntries(act('/runs', false), 'share', 1)).toEqual([]);
  // That of an open Run has no result yet: its pages would show nothing.
  expect(act('/runs/9').map(({ label }) => label)).toEqual([
    'Comparison of Run 9',
    'Visits of Run 9',
    'Change one thing of Run 9, and run',
  ]);
  expect(listActions([], { pathname: '/runs/compare', mayChange: true })).toEqual([]);
});
