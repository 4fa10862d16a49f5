import { expect, test } from 'vitest';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink, linkUser } from './support/join-over-link.ts';

type VisitRow = { scenario: string; wire_connections: number };

test.skipIf(isFirefoxLeftOut)(
  'Firefox opens as many connections as a Scenario allows, also where opening one takes longer than a quarter of a second',
  async () => {
    await using link = await joinOverLink({ firefoxPath: findFirefox() });
    const way = { rateKbps: 5000, delayMs: 300 };
    const run = await link.run({
      name: 'Connections of Firefox',
      urlLists: { pages: [`${link.origin.httpUrl}/images/12`] },
      userAgents: [{ ...linkUser('user'), engine: 'firefox' }],
      scenarios: [1, 4].map((connections) => ({
        name: String(connections),
        baseline: connections === 1,
        browser: { connectionsPerOrigin: connections },
        network: { link: { forward: way, return: way } },
      })),
      pageLoad: { restMs: 0, quietMs: 300 },
      repetition: { rounds: 1, warmUp: false, attempts: 4 },
    });
    expectCompleted(run, { visits: 2, failedVisits: 0 });
    const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
    expect(new Map(visits.map(({ scenario, wire_connections }) => [scenario, wire_connections]))).toEqual(
      new Map([
        ['1', 1],
        ['4', 4],
      ]),
    );
  },
);
