import { expect, test } from 'vitest';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink } from './support/join-over-link.ts';

type VisitRow = { user_agent: string; total_ms: number };

test.skipIf(isFirefoxLeftOut)(
  'Firefox and Chrome are two users of one link, each as an OS user with an address of its own',
  async () => {
    await using link = await joinOverLink({ firefoxPath: findFirefox() });
    const run = await link.run({
      name: 'Two browsers',
      urlLists: { pages: [`${link.origin.http2Url}/images/3`] },
      userAgents: (['chrome', 'firefox'] as const).map((engine, index) => ({
        name: engine,
        engine,
        host: 'remote',
        urlList: 'pages',
        osUser: 20_001 + index,
        sourceAddress: `198.19.1.${index + 1}`,
        interface: 'link0',
      })),
      scenarios: [
        {
          name: 'trusted',
          baseline: true,
          browser: { trustedKeys: [link.origin.trustedKey] },
          network: { link: { forward: { rateKbps: 5000, delayMs: 120 }, return: { rateKbps: 5000, delayMs: 120 } } },
        },
      ],
      pageLoad: { restMs: 0, quietMs: 300 },
      repetition: { rounds: 1, warmUp: false, attempts: 4 },
    });
    expectCompleted(run, { visits: 2, failedVisits: 0 });
    const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
    expect(visits.map((visit) => visit.user_agent).sort()).toEqual(['chrome', 'firefox']);
    // Connection, TLS, the page and its images: four round trips of 240 ms at least.
    for (const { total_ms } of visits) expect(total_ms).toBeGreaterThan(4 * 240);
  },
);
