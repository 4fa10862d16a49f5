import { expect, test } from 'vitest';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { hasCaddy } from '../browser/support/has-caddy.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink, linkUser } from './support/join-over-link.ts';

type VisitRow = { user_agent: string; scenario: string; total_ms: number };

const delayMs = 120;
/** In HTTP/3’s Visits every object came by it: a browser that raced it with TCP over this link would have used HTTP/2. */
const protocols = hasCaddy ? (['h2', 'h3'] as const) : (['h2'] as const);

test.skipIf(isFirefoxLeftOut)(
  'Firefox and Chrome are two users of one link, each as an OS user with an address of its own, over HTTP/2 and over HTTP/3',
  async () => {
    await using link = await joinOverLink({ firefoxPath: findFirefox(), http3: hasCaddy });
    const run = await link.run({
      name: 'Two browsers',
      urlLists: { pages: [`${link.origin.urls.front ?? link.origin.http2Url}/images/3`] },
      userAgents: (['chrome', 'firefox'] as const).map((engine, index) => ({ ...linkUser(engine, index), engine })),
      scenarios: protocols.map((protocol) => ({
        name: protocol,
        baseline: protocol === 'h2',
        browser: { trustedKeys: [link.origin.trustedKey], protocols: [protocol] },
        network: { link: { forward: { rateKbps: 5000, delayMs }, return: { rateKbps: 5000, delayMs } } },
      })),
      pageLoad: { restMs: 0, quietMs: 300 },
      repetition: { rounds: 1, warmUp: false, attempts: 4 },
    });
    expectCompleted(run, { visits: 2 * protocols.length, failedVisits: 0 });
    const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
    expect(new Set(visits.map((visit) => visit.user_agent))).toEqual(new Set(['chrome', 'firefox']));
    // The connection, TLS where that is not part of it, the page and its images.
    for (const { scenario, user_agent, total_ms } of visits)
      expect(total_ms, `${user_agent} over ${scenario}`).toBeGreaterThan((scenario === 'h3' ? 3 : 4) * 2 * delayMs);
  },
);
