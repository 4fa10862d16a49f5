import { expect, test } from 'vitest';
import { compareValues } from '#web-ui/src/components/data-table.tsx';

test('numbers are in the order of their sizes, also within texts; texts in the order of their letters', () => {
  expect([10, 9, -1, 0.5].toSorted(compareValues)).toEqual([-1, 0.5, 9, 10]);
  expect(['Run 10', 'run 9', 'Évaluation', 'evaluation 2', 'Zoom'].toSorted(compareValues)).toEqual([
    'Évaluation',
    'evaluation 2',
    'run 9',
    'Run 10',
    'Zoom',
  ]);
});
