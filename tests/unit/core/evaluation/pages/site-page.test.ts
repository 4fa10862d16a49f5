import { describe, expect, test } from 'vitest';
import { EvaluationDocumentSchema } from '#core/evaluation/evaluation-document.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { listVisits } from '#core/evaluation/pages/list-visits.ts';
import { listLoadedSites } from '#core/evaluation/pages/site-page.ts';
import { smallest } from '../support/smallest-evaluation.ts';

const network = { link: 'none' } as const;
const recording = { sha256: 'a'.repeat(64), recordedEpochMs: 1_700_000_000_000 };

const parse = (urlLists: object, ofNetwork: object | null = network) =>
  EvaluationSchema.safeParse({
    ...smallest,
    urlLists,
    scenarios: [{ name: 'direct', baseline: true, ...(ofNetwork && { network: ofNetwork }) }],
  });
const faults = (...given: Parameters<typeof parse>) =>
  (parse(...given).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
const accept = (urlLists: object): Evaluation => parse(urlLists).data!;

describe('a page of a recorded Site', () => {
  test('is a list of its own, or an entry of one', () => {
    const [first] = accept({ pages: { site: 'shop', page: 2 } }).urlLists.pages!;
    expect(first).toEqual({ site: 'shop', page: 2, url: 'https://site.invalid/shop/2' });
    expect(accept({ pages: ['http://a.test/', { site: 'shop' }, { site: 'shop', page: 2 }] }).urlLists.pages).toEqual([
      { url: 'http://a.test/' },
      { site: 'shop', url: 'https://site.invalid/shop/1' },
      first,
    ]);
  });

  test('stays what it is when its document is stored and read again', () => {
    const document = { ...smallest, urlLists: { pages: { site: 'shop {a,b}', page: 1 } } };
    const scenarios = [{ name: 'direct', baseline: true, network }];
    const stored = EvaluationDocumentSchema.parse({ ...document, scenarios });
    expect(EvaluationDocumentSchema.parse(stored)).toEqual(stored);
    expect(
      listVisits(accept(document.urlLists), { name: 'x', urlList: 'pages' }, { browser: {} as never }),
    ).toHaveLength(1);
  });

  test('is loaded from its recorded address, with its date', () => {
    const evaluation = accept({ pages: [{ site: 'shop', page: 1, url: 'https://shop.test/?a=1', recording }] });
    const [userAgent] = evaluation.userAgents;
    expect(listVisits(evaluation, userAgent!, evaluation.scenarios[0]!)).toMatchObject([
      { url: 'https://shop.test/?a=1', replay: { recordedEpochMs: recording.recordedEpochMs } },
    ]);
  });

  test('is listed with the file that its Site had', () => {
    const { urlLists } = accept({
      pages: [
        { site: 'shop', page: 2, url: 'https://shop.test/2', recording },
        { site: 'shop', url: 'https://shop.test/', recording },
        { site: 'news' },
      ],
    });
    expect(listLoadedSites(urlLists)).toEqual([
      { name: 'shop', sha256: recording.sha256, pages: [2, 1] },
      { name: 'news', sha256: null, pages: [1] },
    ]);
  });

  test('needs a testbed in every Scenario, with nothing in the place of its hosts', () => {
    const urlLists = { pages: { site: 'shop' } };
    expect(faults(urlLists, null)).toEqual([
      expect.stringMatching(/^scenarios\.0\.network is missing: the testbed replays/),
    ]);
    expect(faults(urlLists, { ...network, hosts: [{ name: 'a.test' }] })).toEqual([
      'scenarios.0.network.hosts are those of the Site "shop": remove it',
    ]);
    expect(faults(urlLists, { ...network, tunnel: { kind: 'wireguard' } })).toEqual([
      expect.stringMatching(/^scenarios\.0\.network\.tunnel /),
    ]);
    expect(
      faults(urlLists, {
        ...network,
        dnsCache: 'terminal',
        replay: { thinkTime: 2, distance: 'none', protocol: 'h2' },
      }),
    ).toEqual([]);
  });

  test('is what "replay" is for', () => {
    expect(faults({ pages: ['http://a.test/'] }, { ...network, replay: {} })).toEqual([
      'scenarios.0.network.replay is for pages of recorded Sites, and no URL list has one',
    ]);
    expect(faults({ pages: { site: 'shop' } }, { ...network, replay: { thinkTime: -1 } })).toEqual([
      expect.stringContaining('network.replay.thinkTime must be 0 or more') as string,
    ]);
  });

  test('has a number', () => {
    expect(faults({ pages: { site: 'shop', page: 0 } })).toEqual(['urlLists.pages.0.page must be 1 or more']);
    expect(faults({ pages: { site: 7 } })[0]).toContain('urlLists.pages.0.site');
  });
});
