import { expect, test } from 'vitest';
import { isPlaceOf, places } from '#web-ui/src/app/places.ts';
import { chooseColumns } from '#web-ui/src/components/data-table.tsx';

test('minor columns are left out where there is no room, and no other', () => {
  const columns = [{ name: 'Run' }, { name: 'Visits', isMinor: true }, { name: 'Outcome' }];
  const names = (room: 'wide' | 'narrow' | 'stacked') => chooseColumns(columns, room).map(({ name }) => name);
  expect(names('wide')).toEqual(['Run', 'Visits', 'Outcome']);
  expect([names('narrow'), names('stacked')]).toEqual([
    ['Run', 'Outcome'],
    ['Run', 'Outcome'],
  ]);
});

test('the header marks the place of each page, that of an Evaluation too', () => {
  const marked = (path: string) => places.filter((place) => isPlaceOf(place, path)).map(({ label }) => label);
  expect(['/', '/evaluations/1', '/evaluations/new', '/runs/3/visits', '/settings', '/har'].map(marked)).toEqual([
    ['Evaluations'],
    ['Evaluations'],
    ['Evaluations'],
    ['Runs'],
    ['Settings'],
    [],
  ]);
});
