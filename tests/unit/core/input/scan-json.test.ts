import { expect, test } from 'vitest';
import { findExcess } from '#core/input/scan-json.ts';

const find = (value: unknown, limits: { mostDepth?: number; mostValues?: number }) =>
  findExcess(JSON.stringify(value), { mostDepth: 100, mostValues: 1000, ...limits });

test('depth and values are counted before JSON is parsed, and texts are passed over', () => {
  expect(find([[[]]], { mostDepth: 3 })).toBeNull();
  expect(find([[[]]], { mostDepth: 2 })).toBe('has more than 2 objects and lists within each other');
  expect(find([{ a: 1 }, [2], 3], { mostValues: 6 })).toBeNull();
  expect(find([{ a: 1 }, [2], 3], { mostValues: 5 })).toBe('has more than 5 values');
  const texts = ['[[[[,,,,,,', '\\', '"[[[[,,,,,,', '\\"[[[[', 'é\\\\'];
  expect(find(texts, { mostDepth: 1, mostValues: texts.length + 1 })).toBeNull();
  expect(find({ '[[[,,,"': {} }, { mostDepth: 2, mostValues: 3 })).toBeNull();
  expect(findExcess('"'.repeat(3) + '[[', { mostDepth: 1, mostValues: 9 })).toBeNull();
  expect(findExcess('['.repeat(5_000_000), { mostDepth: 100, mostValues: 1e9 })).toBe(
    'has more than 100 objects and lists within each other',
  );
});
