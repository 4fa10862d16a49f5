import { describe, expect, it } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import { expandUrlPattern } from '#core/evaluation/pages/url-pattern.ts';
import { problemsOf, smallest } from '../support/smallest-evaluation.ts';

describe('a URL pattern', () => {
  it('counts, counts in steps and down, pads, lists, and combines', () => {
    const urls = (pattern: string) => expandUrlPattern(pattern).map(({ url }) => url);
    expect(urls('http://o/{1..3}')).toEqual(['http://o/1', 'http://o/2', 'http://o/3']);
    expect(urls('http://o/{10..0..5}')).toEqual(['http://o/10', 'http://o/5', 'http://o/0']);
    expect(urls('http://o/{08..10}')).toEqual(['http://o/08', 'http://o/09', 'http://o/10']);
    expect(urls('http://o/{-10..05..5}')).toEqual(['http://o/-10', 'http://o/-05', 'http://o/000', 'http://o/005']);
    const id = '9007199254740993000000';
    expect(urls(`http://o/{${id}..${id.slice(0, -1)}2}`)).toEqual(
      [0, 1, 2].map((last) => `http://o/${id.slice(0, -1)}${last}`),
    );
    expect(urls('http://o/{a,b}/{1..2}')).toEqual(['http://o/a/1', 'http://o/a/2', 'http://o/b/1', 'http://o/b/2']);
    expect(urls('http://o/{}?q={x}')).toEqual(['http://o/{}?q={x}']);
  });

  it('refuses to stand for too many URLs, and a step of 0', () => {
    expect(() => expandUrlPattern('http://o/{1..2001}')).toThrow('more than 2000');
    expect(() => expandUrlPattern('http://o/{1..100}/{1..100}')).toThrow('more than 2000');
    expect(() => expandUrlPattern('http://o/{1..9..0}')).toThrow('steps of 0');
  });

  it('is read in linear time, and counted before any URL is made', () => {
    // As many of the longest patterns as the limit of a request has room for; each cost the square of its length, longer than a test may take.
    const hostile = [
      'http://x/{' + ','.repeat(60_000),
      'http://x/' + '{'.repeat(60_000),
      'http://x/' + '{1..1}'.repeat(9000) + '{1..2000}'.repeat(50),
    ];
    for (const pattern of hostile) problemsOf({ urlLists: { pages: Array.from({ length: 16 }, () => pattern) } });
    expect(() => expandUrlPattern(`http://o/{1..${'9'.repeat(400)}}`)).toThrow('more than 2000');
    expect(problemsOf({ urlLists: { pages: ['http://o/{' + ','.repeat(1_000_000)] } })).toEqual([
      'urlLists.pages.0.url: must have at most 65536 characters',
    ]);
  });

  it('is refused where all lists together stand for too much, or a label would be too long', () => {
    const lists = (count: number, url: string) => ({
      urlLists: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [index === 0 ? 'pages' : `list-${index}`, [url]]),
      ),
    });
    const refusal = [
      'urlLists: have more than 50000 URLs or 20000000 characters together after expansion: use fewer, or shorter ones',
    ];
    expect(problemsOf(lists(26, 'http://o/{1..2000}'))).toEqual(refusal);
    expect(problemsOf(lists(25, 'http://o/{1..2000}'))).toEqual([]);
    expect(problemsOf(lists(3, `http://o/{1..2000}/${'a'.repeat(4000)}`))).toEqual(refusal);
    const label = { url: `http://o/{${'a'.repeat(3900)},b}/{1..1000}`, label: '{1}'.repeat(40) };
    expect(problemsOf({ urlLists: { pages: [label] } })).toEqual([
      'urlLists.pages.0.label: must have at most 1000 characters after expansion',
    ]);
  });

  it('gives its values to labels and variables', () => {
    const evaluation = EvaluationSchema.parse({
      ...smallest,
      urlLists: {
        pages: [
          { url: 'http://o/images/{1..2}', label: '{1} images', variables: { images: '{1}', text: 6 }, visits: 2 },
        ],
      },
    });
    expect(urlsOf(evaluation, 'pages')).toEqual([
      { url: 'http://o/images/1', label: '1 images', variables: { images: 1, text: 6 }, visits: 2 },
      { url: 'http://o/images/2', label: '2 images', variables: { images: 2, text: 6 }, visits: 2 },
    ]);
    expect(problemsOf({ urlLists: { pages: [{ url: 'http://o/{a,b}', variables: { images: '{1}' } }] } })).toEqual([
      expect.stringMatching(/^urlLists\.pages\.0\.variables: images=\{1\} is not a number/),
    ]);
    // What is wrong with the address is reported beside it.
    expect(problemsOf({ urlLists: { pages: [{ url: 'htp://o/', variables: { images: '{1}' } }] } })).toHaveLength(2);
    expect(problemsOf({ urlLists: { pages: [''] } })).toEqual([
      expect.stringMatching(/^urlLists\.pages\.0\.url: "" is not a URL/),
    ]);
  });
});
