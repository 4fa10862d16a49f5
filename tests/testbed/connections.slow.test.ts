import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { WireComparisonSchema } from '#core/comparison/network/compare-wire.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import type { ConnectionTruth, RequestTruth } from '#testbed/origin/truth-log.ts';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink, linkUser } from './support/join-over-link.ts';
import { holdForAll } from '#tests/support/hold.ts';

interface VisitRow {
  scenario: 'HTTP/1.1' | 'HTTP/2';
  user_agent: string;
  url: string;
  started_at: string;
  connection_count: number | null;
  wire_connections: number;
  wire_unused_connections: number;
}

const engines = ['chrome', 'http', ...(isFirefoxLeftOut ? [] : ['firefox'])] as ('chrome' | 'http' | 'firefox')[];
const images = [2, 12];
let run: RunDetail;
let visits: VisitRow[];
let truth: { requests: RequestTruth[]; connections: ConnectionTruth[] };

/** Over a round trip of 600 ms, with a rest that is far too short for it. */
const link = holdForAll(() => joinOverLink(isFirefoxLeftOut ? {} : { firefoxPath: findFirefox() }));
beforeAll(async () => {
  const { http2Url, httpUrl, trustedKey } = link.origin;
  const trustedKeys = [trustedKey];
  const network = { link: { forward: { rateKbps: 8000, delayMs: 300 }, return: { rateKbps: 2000, delayMs: 300 } } };
  run = await link.run({
    name: 'Connections',
    urlLists: Object.fromEntries(
      engines.map((engine) => [engine, images.map((count) => `${http2Url}/images/${count}?visit=${engine}-${count}`)]),
    ),
    userAgents: engines.map((engine, index) => ({ ...linkUser(engine, index), engine, urlList: engine })),
    scenarios: [
      { name: 'HTTP/1.1', baseline: true, browser: { protocols: ['http/1.1'], trustedKeys }, network },
      { name: 'HTTP/2', browser: { trustedKeys }, network },
    ],
    pageLoad: { restMs: 100, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false },
  });
  visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  const [program, ...prefix] = link.network.enter('ground');
  const script = `process.stdout.write(await (await fetch('${httpUrl}/__truth')).text())`;
  const { stdout } = await promisify(execFile)(
    program,
    [...prefix, process.execPath, '--input-type=module', '--eval', script],
    { maxBuffer: 1 << 26 },
  );
  truth = JSON.parse(stdout) as typeof truth;
});

/** On how many connections the origin got the requests of a Visit. */
function countUsed({ scenario, url }: VisitRow): number {
  const protocol = scenario === 'HTTP/2' ? 'h2' : 'http/1.1';
  const visit = new URL(url).searchParams.get('visit');
  return new Set(
    truth.requests
      .filter((request) => request.visit === visit && request.protocol === protocol)
      .map(({ connectionId }) => connectionId),
  ).size;
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

it('of each Visit, the browser, the packets and the origin count the same connections with requests', () => {
  expectCompleted(run, { visits: 2 * engines.length * images.length, failedVisits: 0 });
  const counted = visits.map((visit) => ({ ...visit, used: visit.wire_connections - visit.wire_unused_connections }));
  expect(counted).toEqual(counted.map((visit) => ({ ...visit, used: countUsed(visit) })));
  for (const visit of counted)
    expect(visit.connection_count, `${visit.user_agent}, ${visit.scenario}`).toBe(
      visit.user_agent === 'firefox' ? null : visit.used,
    );
});

it('every connection that the origin saw was opened by a Visit, and as many without a request', () => {
  const accepted = truth.connections.filter(({ listener }) => listener === 'http2');
  const asked = new Set(truth.requests.map(({ connectionId }) => connectionId));
  expect(sum(visits.map((visit) => visit.wire_connections))).toBe(accepted.length);
  const idle = accepted.filter(({ id }) => !asked.has(id));
  expect(sum(visits.map((visit) => visit.wire_unused_connections))).toBe(idle.length);
  // Browsers open another connection where the first is not there within 250 ms.
  expect(idle.length).toBeGreaterThan(0);
});

it('the report says of connections what the Visits say', async () => {
  const wire = WireComparisonSchema.parse(await (await link.program(`/api/runs/${run.id}/wire`)).json());
  if (wire.kind === 'absent') throw new Error(wire.reason);
  for (const { scenario, figures } of wire.scenarios) {
    const own = visits.filter((visit) => visit.scenario === scenario);
    expect(figures.connections!.mean).toBeCloseTo(sum(own.map((visit) => visit.wire_connections)) / own.length, 9);
    expect(figures.unusedConnections!.mean).toBeCloseTo(
      sum(own.map((visit) => visit.wire_unused_connections)) / own.length,
      9,
    );
  }
});

it('the connections of a Visit are closed before the next Visit begins', async () => {
  for (const round of run.rounds.filter(({ state }) => state === 'completed')) {
    for (const pass of round.passes) {
      const { statistics, clockOffsetMs } = await link.readCapture('passes', pass.id);
      const { startEpochNs, connections } = statistics;
      const secondEpochMs = Math.floor(Number(BigInt(startEpochNs!) / 1_000_000_000n)) * 1000;
      const starts = visits
        .filter((visit) => visit.scenario === round.scenario && visit.user_agent === pass.userAgent)
        .map((visit) => Date.parse(visit.started_at) - clockOffsetMs - secondEpochMs);
      expect(starts).toHaveLength(images.length);
      const crossing = connections.filter(({ startMs, endMs }) =>
        starts.some((start) => startMs! < start - 50 && endMs! > start),
      );
      expect(crossing.map(({ startMs, endMs }) => ({ userAgent: pass.userAgent, starts, startMs, endMs }))).toEqual([]);
    }
  }
});
