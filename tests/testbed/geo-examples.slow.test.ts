import { expect, it } from 'vitest';
import { expectCompleted } from '../support/expect-completed.ts';
import { keyToReplace, readExample } from '../support/read-example.ts';
import { readHttpVersions } from '../support/read-http-versions.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { holdForAll } from '#tests/support/hold.ts';

// What is counted of the examples; `examples.slow.test.ts` judges the times of others.

const overLink = holdForAll(joinOverLink);

/** Three times as long as a Run on a busy machine. */
const limitMs = 1_200_000;

type VisitRow = { round_state: string; total_ms: number; wire_packets: number | null };
const readVisits = async ({ id }: { id: string }) =>
  ((await (await overLink.program(`/api/runs/${id}/visits?format=json`)).json()) as VisitRow[]).filter(
    ({ round_state }) => round_state === 'completed',
  );

it(
  'HTTP/2 over a GEO satellite: the link is set and checked, the key is trusted, and each user is captured',
  { timeout: limitMs },
  async () => {
    const { http2Url, trustedKey } = overLink.origin;
    const example = readExample('http2-over-geo-satellite.yaml', {
      'https://198.19.0.1:8443': http2Url,
      '{5..30..5}': '{5,10}',
      [keyToReplace]: trustedKey,
    });
    const run = await overLink.run(example);
    expectCompleted(run, { visits: 3 * 2 * 2, failedVisits: 0 });
    const completed = run.rounds.filter(({ state }) => state === 'completed');
    expect(new Map(completed.map(({ scenario, linkCheck }) => [scenario, linkCheck?.profile]))).toEqual(
      new Map([
        ['HTTP/1.1', 'geo-1m'],
        ['HTTP/2', 'geo-1m'],
        ['HTTP/2, one percent lost', 'geo-1m'],
      ]),
    );
    expect(await readHttpVersions(overLink.pool, run.id)).toEqual(
      new Map([
        ['HTTP/1.1', ['http/1.1']],
        ['HTTP/2', ['h2']],
        ['HTTP/2, one percent lost', ['h2']],
      ]),
    );
    for (const { total_ms, wire_packets } of await readVisits(run)) {
      expect(total_ms).toBeGreaterThan(3 * 600);
      expect(wire_packets).toBeGreaterThan(10);
    }
  },
);

it('Many hosts over a GEO satellite: all objects come from hosts found by name', { timeout: limitMs }, async () => {
  const run = await overLink.run(readExample('many-hosts-over-geo-satellite.yaml', {}));
  expectCompleted(run, { visits: 3, failedVisits: 0 });
  // The name, the connection with TLS, the page, the name of another host, its connection, and the image.
  for (const { total_ms } of await readVisits(run)) expect(total_ms).toBeGreaterThan(8 * 750);
  expect(await readHttpVersions(overLink.pool, run.id)).toEqual(
    new Map(run.evaluation.scenarios.map(({ name }) => [name, ['h2', 'http/1.1']])),
  );
});
