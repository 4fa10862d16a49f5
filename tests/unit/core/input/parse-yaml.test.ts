import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { EvaluationInputSchema } from '#core/evaluation/evaluation-document.ts';
import { parseStorable, parseYaml } from '#core/input/parse-yaml.ts';
import { LinkProfileInputSchema } from '#core/evaluation/network/link-profile-input.ts';

const issuesOf = (text: string, schema: z.ZodType = z.unknown()) => {
  const parsed = parseYaml(text, schema);
  return parsed.kind === 'valid' ? [] : parsed.issues;
};
const depth = 'has more than 100 mappings and lists within each other';

describe('a YAML text', () => {
  it.each([
    ['flow lists', `a: 1\nb: ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['flow lists that never end', `a: 1\nb: ${'['.repeat(5000)}`],
    ['flow mappings', `a: 1\nb: ${'{a: '.repeat(5000)}${'}'.repeat(5000)}`],
    ['lists in a line', `b:\n${'- '.repeat(5000)}a\nc: 1`],
    ['keys in a line', `a: 1\n${'? '.repeat(5000)}a\nb: 1`],
    ['a mapping in each line', Array.from({ length: 500 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
  ])('with thousands of %s within each other is refused by its line', (_, text) => {
    for (const schema of [z.unknown(), EvaluationInputSchema, LinkProfileInputSchema]) {
      const [issue] = issuesOf(text, schema);
      expect(issue).toMatchObject({ path: [], message: `the text ${depth}` });
      expect(issue!.line).toSatisfy((line: number) => line === 2 || (line > 100 && line < 105));
    }
  });

  it('may have a hundred mappings and lists within each other, and no more by way of aliases', () => {
    expect(issuesOf(`${'['.repeat(100)}${']'.repeat(100)}`)).toEqual([]);
    const half = `${'['.repeat(60)}X${']'.repeat(60)}`;
    expect(issuesOf(`a: &a ${half.replace('X', '1')}\nb: ${half.replace('X', '*a')}`)).toEqual([
      { path: ['b'], line: 2, message: depth },
    ]);
  });

  it.each(['.inf', '-.inf', '.nan', '1e999'])('with the number %s is refused by its line', (number) => {
    const name = number === '1e999' ? '.inf' : number;
    expect(issuesOf(`a: 1\nb:\n  - c: ${number}`)).toEqual([
      { path: ['b', 0, 'c'], line: 3, message: `must be a finite number, not ${name}` },
    ]);
  });

  it('is refused where a number would lose digits, and where schemas would pass over a key', () => {
    const text =
      'a: 9007199254740991\nvariables:\n  id: 12345678901234567890\n  big: 1.5e300\n  text: "12345678901234567890"';
    const lost = (value: string) =>
      `has more digits than a number keeps (${value}): put quotes around it where it may be a text`;
    expect(issuesOf(text)).toEqual([
      { path: ['variables', 'id'], line: 3, message: lost('12345678901234567000') },
      { path: ['variables', 'big'], line: 4, message: lost('1.5e+300') },
    ]);
    const schema = z.record(z.string(), z.number());
    expect(issuesOf('a: 1\n__proto__: 2\nconstructor: 3', schema)).toEqual([
      { path: ['__proto__'], line: 2, message: 'is no name that can be kept: choose another' },
    ]);
    expect(parseYaml('constructor: 1\ntoString: 2', schema)).toMatchObject({ value: { constructor: 1, toString: 2 } });
  });

  it('has one document', () => {
    expect(issuesOf('a: 1\n---\nb: 1\n---\nc: 1')).toEqual([
      { path: [], line: 2, message: 'a second document begins here: take out the line "---" before it' },
    ]);
    expect(issuesOf('---\na: 1\n...\n')).toEqual([]);
  });

  it('is refused where it is no YAML, where a key is there twice, and where it is empty', () => {
    expect(issuesOf('a: [1\nb: 2').length).toBeGreaterThan(0);
    expect(issuesOf('a: 1\nb: 2\na: 3')).toEqual([
      { path: [], line: 3, message: 'the key "a" appears twice in one mapping' },
    ]);
    for (const [keys, name] of [
      ['1: a\n"1": b', '1'],
      ['"true": a\ntrue: b', 'true'],
      ['"": a\n~: b', ''],
    ] as const)
      expect(issuesOf(keys)).toEqual([
        { path: [], line: 2, message: `the key "${name}" appears twice in one mapping` },
      ]);
    expect(issuesOf('1: a\n"01": b')).toEqual([]);
    expect(issuesOf('# nothing\n')).toEqual([{ path: [], line: null, message: 'it is empty' }]);
  });
});

test('JSON of any depth, and with a number without an end, gets a reason', () => {
  const deep: unknown = JSON.parse(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
  expect(parseStorable(deep, z.unknown())).toEqual({ kind: 'wrong', issues: [{ path: ['a'], message: depth }] });
  expect(parseStorable(JSON.parse('[1e999]'), z.unknown())).toMatchObject({ issues: [{ path: [0] }] });
});

test('what is missing is said once, in the words of the schema or before them', () => {
  const schema = z.looseObject({ name: z.string('must be a text') }).superRefine(({ network }, context) => {
    if (!network) context.addIssue({ code: 'custom', path: ['network'], message: 'is missing: write "link: none"' });
  });
  expect(issuesOf('a: 1', schema)).toMatchObject([{ path: ['name'], message: 'is missing: it must be a text' }]);
  expect(issuesOf('name: a', schema)).toMatchObject([{ path: ['network'], message: 'is missing: write "link: none"' }]);
});
