import { expect, test } from 'vitest';
import { formatLabels, listLabels, readLabels } from '#core/protocol/api/run-labels.ts';

test('labels are read as they are listed', () => {
  const labels = { build: '1234', branch: 'a=b, c' };
  expect(readLabels(listLabels(labels))).toEqual({ kind: 'read', labels });
  expect(readLabels([' build = 1234 '])).toEqual({ kind: 'read', labels: { build: '1234' } });
  expect(formatLabels(labels)).toBe('build=1234, branch=a=b, c');
  expect(readLabels([])).toEqual({ kind: 'read', labels: {} });
});

test.for([
  [['build'], 'build: It must be a key and a value, such as build=1234.'],
  [['a b=1'], 'a b=1: The key must be a word of letters, digits and _.'],
  [['__proto__=1'], '__proto__=1: The key must be another name than __proto__.'],
  [['a=1', 'a=2'], 'a=2: There is another label "a".'],
  [['a='], 'a=: It must not be empty.'],
  [Array.from({ length: 21 }, (_, index) => `k${index}=1`), 'k20=1: It must have at most 20 labels.'],
] as const)('%j is refused with what is wrong', ([texts, problem]) => {
  expect(readLabels(texts)).toEqual({ kind: 'wrong', problem });
});
