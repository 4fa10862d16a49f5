import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssues, editDistance } from '#core/input/describe-issues.ts';
import { readYaml, InvalidInputError } from '#controller/http/build-router.ts';
import { EvaluationInputSchema } from '#core/evaluation/evaluation-document.ts';
import { evaluationYaml } from '../../../support/sample-evaluation.ts';

/** The issues of a YAML Evaluation as `line path: message`. */
function issuesOf(yaml: string): string[] {
  try {
    readYaml(yaml, EvaluationInputSchema);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.issues.map(({ line, path, message }) => `${line ?? '?'} ${path}: ${message}`);
  }
}

describe('a mistake in a YAML Evaluation is reported with its line, its path and its fix', () => {
  test('a correct one has none', () => expect(issuesOf(evaluationYaml)).toEqual([]));

  test('an unknown key gets the key that was meant', () => {
    expect(issuesOf(evaluationYaml.replace('urlLists:', 'urllists:'))).toEqual([
      '1 urlLists: is missing: it must be a mapping of keys to values',
      '2 urllists: unknown key "urllists"; did you mean "urlLists"?',
    ]);
  });

  test('an unknown key that is like none gets the list of keys', () => {
    expect(issuesOf(`${evaluationYaml}  colour: red\n`)).toEqual([
      '18 repetition.colour: unknown key "colour"; known here: "order", "rounds", "adaptive", "barrier", "mayAddRounds", "warmUp", "attempts"',
    ]);
  });

  test('a unit where none belongs gets the number to write', () => {
    expect(issuesOf(`${evaluationYaml}pageLoad:\n  timeoutMs: 30s\n`)).toEqual([
      '19 pageLoad.timeoutMs: must be a number of milliseconds without a unit, not "30s" (write 30000)',
    ]);
  });

  test('a URL that is none is named within its list', () => {
    expect(issuesOf(evaluationYaml.replace('http://origin.test/plain', 'origin.test/plain'))).toEqual([
      '6 urlLists.pages[1].url: "origin.test/plain" is not a URL: write the full URL, such as "http://origin.example/page"',
    ]);
  });

  test('a missing key is reported at the line of what should have it', () => {
    expect(issuesOf(evaluationYaml.replace('name: alice, ', ''))).toEqual([
      '8 userAgents[0].name: is missing: it must be a text',
    ]);
  });

  test('a name that YAML takes for a number or a truth is to be quoted', () => {
    for (const name of ['1.1', 'true'])
      expect(issuesOf(evaluationYaml.replace('name: Proxy or not', `name: ${name}`))).toEqual([
        '1 name: must be a text: put quotes around it',
      ]);
  });

  test('a merge of mappings, which YAML 1.2 has not, is said to be none', () => {
    expect(issuesOf(evaluationYaml.replace('{ name: bob,', '{ <<: { engine: http }, name: bob,'))).toEqual([
      '9 userAgents[1]["<<"]: YAML 1.2 merges no mappings: write out what "<<" stands for',
    ]);
  });

  test('URL lists whose names differ in spaces alone are refused, as one would be lost', () => {
    expect(issuesOf(evaluationYaml.replace('userAgents:', '  "pages ": [http://other.test/]\nuserAgents:'))).toEqual([
      '2 urlLists: have two lists "pages", as spaces around a name do not count: rename one',
    ]);
  });

  test('no baseline is reported at the Scenarios', () => {
    expect(issuesOf(evaluationYaml.replace('    baseline: true\n', ''))).toEqual([
      '10 scenarios: exactly one Scenario must be the baseline, and none is: write "baseline: true" under one of them',
    ]);
  });

  test('a key that stands twice, and a line that is no YAML, are reported', () => {
    expect(issuesOf(`name: one\nname: two\n`)).toEqual(['2 : the key "name" appears twice in one mapping']);
    expect(issuesOf('name: [1, 2\nurlLists: {}\n')[0]).toMatch(/^\d+ : /);
  });

  test('aliases are followed, and too many of them refused', () => {
    const aliased = evaluationYaml
      .replace('pages:', 'pages: &pages')
      .replace('userAgents:', '  more: *pages\nuserAgents:');
    expect(issuesOf(aliased)).toEqual([]);
    expect(
      issuesOf(aliased.replace('http://origin.test/plain', 'ftp://x')).map((issue) => issue.split(':')[0]),
    ).toEqual(['6 urlLists.pages[1].url', '6 urlLists.more[1].url']);
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(', ')}]`,
    );
    expect(issuesOf(['l0: &l0 [x, x, x]', ...levels].join('\n'))[0]).toContain('unresolved or too many');
  });

  test('nothing, a list, and text that cannot be stored are refused', () => {
    expect(issuesOf('# nothing\n')).toEqual(['? : it is empty']);
    expect(issuesOf('- 1\n')).toEqual(['1 : must be a mapping of keys to values']);
    expect(issuesOf(evaluationYaml.replace('name: Proxy or not', 'name: x\ndescription: "a\\0b"'))).toEqual([
      '2 description: must not contain the character U+0000 or half of a surrogate pair',
    ]);
  });
});

test('a mistake in a union is reported in the words of its members', () => {
  expect(issuesOf(evaluationYaml.replace('images: "{1}"', 'images: [1]'))[0]).toBe(
    '5 urlLists.pages[0].variables.images: must be a number, or must be a text',
  );
});

test('a thousand mistakes are answered by the first hundred', () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `x${index}: 1`);
  expect(issuesOf(keys.join('\n'))).toHaveLength(100);
});

test('the edit distance is a metric, and known for kitten and sitting', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3);
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
});

test('the schema of a document may be any', () => {
  expect(readYaml('a: 1', z.object({ a: z.number() }))).toEqual({ a: 1 });
});

describe('the key that was probably meant', () => {
  const flag = z.boolean().optional();
  const schema = z.strictObject({ ABCdef: flag, abcdxx: flag, timeoutMs: flag, ab: flag });
  const meantBy = (key: string) => {
    const input = { [key]: true };
    const { message } = describeIssues(schema.safeParse(input).error!, { schema, input })[0]!;
    return /did you mean "(.*)"/.exec(message)?.[1] ?? null;
  };

  test.for([
    ['timeoutms', 'timeoutMs'],
    ['TIMEOUTMS', 'timeoutMs'],
    ['time', 'timeoutMs'],
    ['timeout', 'timeoutMs'],
    ['tmeoutM', 'timeoutMs'],
    ['outMs', null],
    // Letters that differ in their case alone are the same.
    ['abcdef', 'ABCdef'],
    ['abcdxy', 'abcdxx'],
    ['ac', 'ab'],
    ['cd', null],
  ] as const)('for %s is %s', ([key, meant]) => {
    expect(meantBy(key)).toBe(meant);
  });

  test('is of the object that has the mistake, in lists, records and defaults', () => {
    const inner = z.strictObject({ delayMs: z.number() });
    const whole = z.strictObject({
      list: z.array(inner).default([]),
      named: z.record(z.string(), inner).optional(),
      either: z.union([z.number(), inner]).optional(),
    });
    const input = {
      list: [{ delayMs: 1 }, { delay: 1, delayMs: 1 }],
      named: { far: { delay: 1, delayMs: 1 } },
    };
    expect(describeIssues(whole.safeParse(input).error!, { schema: whole, input })).toEqual([
      { path: ['list', 1, 'delay'], message: 'unknown key "delay"; did you mean "delayMs"?' },
      { path: ['named', 'far', 'delay'], message: 'unknown key "delay"; did you mean "delayMs"?' },
    ]);
  });

  test('is looked for in a hundred keys of one object', () => {
    const input = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, 1]));
    const issues = describeIssues(schema.safeParse(input).error!, { schema, input });
    expect(issues).toHaveLength(100);
    expect(issues[0]!.message).toBe('unknown key "key0"; known here: "ABCdef", "abcdxx", "timeoutMs", "ab"');
  });
});

test('a name that is wrong in several ways, and a missing key, are said in one sentence each', () => {
  const name = z.string().max(3, 'must have at most 3 characters').regex(/^a/, 'must begin with a');
  const schema = z.strictObject({ byName: z.record(name, z.number()), flag: z.boolean(), names: z.array(name) });
  const input = { byName: { abcd: 1, bcde: 2 }, flag: undefined, names: 'abc' };
  expect(describeIssues(schema.safeParse(input).error!, { schema, input })).toEqual([
    { path: ['byName', 'abcd'], message: 'the name must have at most 3 characters' },
    { path: ['byName', 'bcde'], message: 'the name must have at most 3 characters and must begin with a' },
    { path: ['flag'], message: 'must be true or false' },
    { path: ['names'], message: 'must be a list' },
  ]);
  expect(describeIssues(schema.safeParse({}).error!, { schema, input: {} })).toEqual([
    { path: ['byName'], message: 'is missing: it must be a mapping of keys to values' },
    { path: ['flag'], message: 'is missing: it must be true or false' },
    { path: ['names'], message: 'is missing: it must be a list' },
  ]);
});
