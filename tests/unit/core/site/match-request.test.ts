import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createReplaySession,
  indexExchanges,
  matchRequest,
  type ReplayRequest,
  type RequestMatch,
} from '#core/site/match-request.ts';
import type { SiteExchange } from '#core/site/site.ts';
import { makeSite } from './support/make-site.ts';

const page = { page: 1, visit: 1 };

/** The exchanges that the requests get, one after the other in one session, as `kind number`. */
function replay(recorded: Partial<SiteExchange>[], requests: Partial<ReplayRequest>[]): string[] {
  const index = indexExchanges(makeSite(recorded), page);
  const session = createReplaySession();
  return requests.map((request) => {
    const whole = { method: 'GET', url: 'https://a.test/', headers: [], bodySha256: null, ...request };
    return describeMatch(matchRequest(index, whole, session));
  });
}

const describeMatch = (match: RequestMatch) =>
  match.kind === 'miss' ? 'miss' : `${match.kind} ${match.exchange.number}`;
const at = (query: string) => ({ url: `https://a.test/x${query}` });
const sha = (digit: string) => digit.repeat(64);

describe('a request', () => {
  test('gets the recording of its method, URL and body, without its fragment', () => {
    expect(
      replay(
        [at('?a=1'), at('?a=2'), { ...at('?a=1'), method: 'POST', requestBodySha256: sha('1') }],
        [at('?a=2#part'), at('?a=1'), { ...at('?a=1'), method: 'POST', bodySha256: sha('1') }],
      ),
    ).toEqual(['exact 1', 'exact 0', 'exact 2']);
  });

  test('misses where the recording has nothing of its host, path and method', () => {
    expect(
      replay(
        [at('?a=1')],
        [
          { url: 'https://a.test/y?a=1' },
          { url: 'https://b.test/x?a=1' },
          { url: 'http://a.test/x?a=1' },
          { ...at('?a=1'), method: 'DELETE' },
          { url: 'no address' },
        ],
      ),
    ).toEqual(['miss', 'miss', 'miss', 'miss', 'miss']);
  });

  test('gets the recording with the most equal parameters, of which cache busters are none', () => {
    const recorded = [at('?a=1&b=2&c=3'), at('?a=1&b=9&_=1700'), at('?a=8&t=1700&cb=17&ts=1&rnd=0.5')];
    expect(replay(recorded, [at('?c=4&b=2&a=1'), at('?a=1&b=9&_=1800'), at('?a=8&t=1800')])).toEqual([
      'inexact 0',
      'inexact 1',
      'inexact 2',
    ]);
    // A word is no cache buster.
    expect(replay([at('?v=main'), at('?v=print')], [at('?v=print&x=1')])).toEqual(['inexact 1']);
  });

  test('gets the one with the fewest other parameters of those, and then the one with the most equal headers', () => {
    expect(replay([at('?a=1&b=2'), at('?a=1&_=1')], [at('?a=1&_=2')])).toEqual(['inexact 1']);
    const json: [string, string] = ['Accept', 'application/json'];
    expect(
      replay(
        [
          { ...at('?_=1'), requestHeaders: [['accept', 'image/*']] },
          { ...at('?_=2'), requestHeaders: [json] },
        ],
        [{ ...at('?_=3'), headers: [['accept', 'application/json']] }],
      ),
    ).toEqual(['inexact 1']);
  });

  test('with another body gets one of its path, by preference with its body', () => {
    const post = (query: string, body: string) => ({ ...at(query), method: 'POST', requestBodySha256: sha(body) });
    const asked = (query: string, body: string) => ({ ...at(query), method: 'POST', bodySha256: sha(body) });
    expect(
      replay([post('?q=1', '1'), post('?q=2', '2')], [asked('?q=1', '2'), asked('?q=1', '3'), asked('?q=9', '9')]),
    ).toEqual(['inexact 1', 'inexact 0', 'inexact 1']);
  });
});

describe('what was recorded several times', () => {
  test('is given one after the other, and then the last one again, to each session from the first', () => {
    const recorded = [at('?a=1'), at('?a=1'), at('?a=1')];
    const four = [at('?a=1'), at('?a=1'), at('?a=1'), at('?a=1')];
    const expected = ['exact 0', 'exact 1', 'exact 2', 'exact 2'];
    expect(replay(recorded, four)).toEqual(expected);
    expect(replay(recorded, four)).toEqual(expected);
  });

  test('with cache busters is given in turn too', () => {
    expect(replay([at('?_=1'), at('?_=2')], [at('?_=8'), at('?_=9'), at('?_=10')])).toEqual([
      'inexact 0',
      'inexact 1',
      'inexact 1',
    ]);
  });

  test('in other visits or on other pages is not given', () => {
    expect(
      replay(
        [
          { ...at(''), visit: 2 },
          { ...at(''), page: 2 },
        ],
        [at('')],
      ),
    ).toEqual(['miss']);
  });
});

describe('a request for a part', () => {
  const part = (range: string): Partial<SiteExchange> => ({
    ...at(''),
    status: 206,
    requestHeaders: [['Range', range]],
  });
  const asked = (range: string): Partial<ReplayRequest> => ({ ...at(''), headers: [['range', range]] });

  test('gets the recorded part, else the whole, and never another part', () => {
    expect(replay([part('bytes=0-9'), at('')], [asked('bytes=0-9'), asked('bytes=5-6')])).toEqual([
      'exact 0',
      'exact 1',
    ]);
    expect(replay([part('bytes=0-9')], [asked('bytes=5-6')])).toEqual(['miss']);
    expect(replay([part('bytes=0-9')], [{ ...asked('bytes=0-9'), ...at('?_=2') }])).toEqual(['inexact 0']);
  });

  test('is the only one that a part answers, or that there is no such part', () => {
    expect(replay([part('bytes=0-9')], [at('')])).toEqual(['miss']);
    const beyond = { ...part('bytes=99-'), status: 416 };
    expect(replay([beyond, at('')], [at(''), asked('bytes=99-')])).toEqual(['exact 1', 'exact 0']);
  });
});

test('a recorded 304 answers conditional requests only, and these get the whole where there is none', () => {
  const conditional: Partial<ReplayRequest> = { ...at(''), headers: [['If-None-Match', '"1"']] };
  expect(replay([{ ...at(''), status: 304 }, at('')], [at(''), conditional])).toEqual(['exact 1', 'exact 0']);
  expect(replay([at('')], [conditional])).toEqual(['exact 0']);
  expect(replay([{ ...at(''), status: 304 }], [at('')])).toEqual(['miss']);
});

test('HEAD is answered as the GET where it was not recorded', () => {
  expect(replay([at('')], [{ ...at(''), method: 'HEAD' }])).toEqual(['inexact 0']);
  expect(replay([at(''), { ...at(''), method: 'HEAD' }], [{ ...at(''), method: 'HEAD' }])).toEqual(['exact 1']);
});

const exchanges = fc.array(
  fc.record({
    url: fc
      .tuple(
        fc.constantFrom('a.test', 'b.test'),
        fc.constantFrom('x', 'y'),
        fc.array(fc.tuple(fc.constantFrom('a', 'b', '_'), fc.nat(3)), { maxLength: 3 }),
      )
      .map(([host, path, query]) => `https://${host}/${path}?${query.map((pair) => pair.join('=')).join('&')}`),
    method: fc.constantFrom('GET', 'POST'),
  }),
  { minLength: 1, maxLength: 20 },
);

test('a recorded visit, asked for again in its order, is given in its order and exactly', () => {
  fc.assert(
    fc.property(exchanges, (recorded) => {
      expect(replay(recorded, recorded)).toEqual(recorded.map((_, number) => `exact ${number}`));
    }),
  );
});

test('any request gets what has its origin, path and method, and is a miss only where nothing has', () => {
  fc.assert(
    fc.property(exchanges, exchanges, (recorded, asked) => {
      const index = indexExchanges(makeSite(recorded), page);
      const session = createReplaySession();
      const keyOf = ({ url, method }: { url: string; method: string }) => `${method} ${url.split('?')[0]}`;
      for (const request of asked) {
        const match = matchRequest(index, { ...request, headers: [], bodySha256: null }, session);
        const isRecorded = recorded.some((each) => keyOf(each) === keyOf(request));
        if (match.kind === 'miss') expect(isRecorded).toBe(false);
        else expect(keyOf(match.exchange)).toBe(keyOf(request));
      }
    }),
  );
});
