import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { describeIssues, formatPath } from '#core/input/describe-issues.ts';

const proxy = { name: 'proxy', host: 'laptop', command: 'exec proxy' };

function problemsOf(scenario: object, userAgent: object = {}): string {
  const input = {
    name: 'With and without a proxy',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages', ...userAgent }],
    scenarios: [{ name: 'A', baseline: true, ...scenario }],
  };
  const { error } = EvaluationSchema.safeParse(input);
  if (!error) return '';
  return describeIssues(error, { schema: EvaluationSchema, input })
    .map(({ path, message }) => `${formatPath(path)} ${message}`)
    .join('\n');
}

test('a process has defaults, and each way to be ready is read', () => {
  for (const readyWhen of [
    undefined,
    { port: 3128 },
    { port: 3128, address: '::1' },
    { http: 'http://a/' },
    { line: 'up' },
  ])
    expect(problemsOf({ processes: [{ ...proxy, readyWhen }] })).toBe('');
});

test.each([
  [{ readyWhen: { port: 70_000 } }, 'readyWhen'],
  [{ readyWhen: { http: 'ftp://a/' } }, 'must be an http or https URL'],
  [{ readyWhen: { line: '' } }, 'must not be empty'],
  [{ readyWhen: { port: 1, line: 'up' } }, 'must be one of { port: 3128 }'],
  [{ command: '' }, 'must not be empty'],
  [{ command: 'a\0b' }, 'must have no zero character'],
  [{ environment: { 'A=B': 'c' } }, 'environment'],
  [{ lifetime: 'visit' }, 'must be "round" or "run"'],
  [{ timeoutMs: 1 }, 'timeoutMs'],
])('%j is refused', (change, words) => {
  expect(problemsOf({ processes: [{ ...proxy, ...change }] })).toContain(words);
});

test('two processes of one name are refused, and more than 32', () => {
  expect(problemsOf({ processes: [proxy, proxy] })).toContain('the name "proxy" is used already');
  const many = Array.from({ length: 33 }, (_, index) => ({ ...proxy, name: `proxy ${index}` }));
  expect(problemsOf({ processes: many })).toContain('must have at most 32 processes');
});

test('weights need a User Agent of their class, and exclude classes of the link', () => {
  const network = { link: 'geo-1m', weights: { gold: 1 } };
  expect(problemsOf({ network }, { userClass: 'gold' })).toBe('');
  expect(problemsOf({ network })).toContain('no User Agent has this class');
  expect(problemsOf({ network: { ...network, classes: { gold: 1 } } }, { userClass: 'gold' })).toContain(
    'is for shares that something else than the link enforces',
  );
});
