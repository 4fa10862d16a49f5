import { expect, test } from 'vitest';
import { EvaluationDocumentSchema, EvaluationInputSchema } from '#core/evaluation/evaluation-document.ts';
import { TypedUrlListSchema } from '#core/evaluation/pages/url-list.ts';
import { VisitUrlSchema } from '#core/evaluation/pages/visit-url.ts';
import { smallest } from '../support/smallest-evaluation.ts';

const withPages = (...pages: unknown[]) => ({ ...smallest, urlLists: { pages } });

/** Issues as people see them where they type: in the wizard, and in the editor and at the Controller, which must say the same. */
function typed(page: unknown): string[] {
  const list = TypedUrlListSchema.safeParse([page]).error?.issues ?? [];
  const document = EvaluationInputSchema.safeParse(withPages(page)).error?.issues ?? [];
  expect(document.map(({ path, message }) => [path.slice(2), message])).toEqual(
    list.map(({ path, message }) => [path, message]),
  );
  return list.map(({ path, message }) => `${path.at(-1) as string}: ${message}`);
}

test.for([
  ['https://foo bar', 'url: "https://foo bar" is not a URL: write the full URL, such as "http://origin.example/page"'],
  ['https://foo%20bar/', 'url: "https://foo%20bar/" is not a URL'],
  ['https://foo<bar', 'url: "https://foo<bar" is not a URL'],
  ['http://origin.test/a b', 'url: "http://origin.test/a b" has a space: take it out, or write %20'],
  ['http://origin.test/a\u00A0b', 'has a character that cannot be seen: take it out, or write %C2%A0'],
  ['http://origin.test/\u0007', 'has a character that cannot be seen: take it out, or write %07'],
  ['http://origin.test/{a, b}', 'has a space'],
  ['http://origin.test/{5..1', 'has { without }: complete the pattern, or write %7B for the brace itself'],
  ['http://origin.test/5..1}', 'has } without {: complete the pattern, or write %7D for the brace itself'],
] as const)('%j is refused where it is typed, though a browser may take it', ([url, problem]) => {
  expect(typed(url)).toEqual([expect.stringContaining(problem)]);
});

test.for([
  'http://origin.test/{5..25..10}?delayMs=50',
  'http://origin.test/?q={}',
  'http://[::1]:8080/%20',
  'https://bücher.test/ä',
  'HTTP://Origin.Test',
])('%j is taken', (url) => {
  expect(typed(url)).toEqual([]);
});

test('a range that is not finished is the fault of the URL, and not of the variable that names it', () => {
  expect(typed({ url: 'http://origin.test/{5..1', label: '{1} images', variables: { images: '{1}' } })).toEqual([
    expect.stringMatching(/^url: .* has { without }/),
  ]);
});

test('what an earlier version stored is read as it was', () => {
  for (const url of ['http://origin.test/a b', 'http://origin.test/{5..1'])
    expect(EvaluationDocumentSchema.safeParse(withPages(url)).success).toBe(true);
  expect(VisitUrlSchema.safeParse('http://origin.test/a b').success).toBe(true);
});
