import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { joinOverLink } from './support/join-over-link.ts';

const resources = new AsyncDisposableStack();
let overLink: Awaited<ReturnType<typeof joinOverLink>>;
beforeAll(async () => {
  overLink = resources.use(await joinOverLink({ allowScripts: true, hasNodes: true }));
});
afterAll(() => resources.disposeAsync());

const way = { rateKbps: 'unlimited', delayMs: 120 } as const;
const network = { link: { forward: way, return: way }, path: {}, tcpPep: {} };

function measure(change: Partial<z.input<typeof EvaluationSchema>>): Promise<RunDetail> {
  return overLink.run({
    name: 'Over a path',
    urlLists: { pages: [`${overLink.origin.httpUrl}/images/2`] },
    userAgents: [{ name: 'alice', engine: 'http', host: 'remote', urlList: 'pages' }],
    scenarios: [],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 4 },
    ...change,
  });
}

test('the nodes of a path are hosts: processes run there, and packets are captured, also those that a PEP has split', async () => {
  const run = await measure({
    scenarios: [
      {
        name: 'split',
        baseline: true,
        network,
        processes: [
          {
            name: 'address',
            host: 'gateway',
            command: 'ip -brief address; exec sleep 600',
            readyWhen: { line: '198.19.255.1' },
          },
        ],
      },
    ],
    capturePoints: [{ name: 'before the gateway', host: 'gateway', interface: 'satellite0', filter: 'tcp' }],
  });
  expectCompleted(run, { visits: 1, failedVisits: 0 });
  const round = run.rounds.find(({ state }) => state === 'completed')!;
  const figures = new Map(round.linkCheck?.during?.map(({ figure, value }) => [figure, value]));
  expect(figures.get('terminal PEP split')).toBeGreaterThan(0);
  expect(figures.get('gateway PEP split')).toBe(figures.get('terminal PEP split'));

  const [point] = round.capturePoints;
  const { statistics } = await overLink.readCapture('captures', point!.id);
  const ends = statistics.connections.map(({ client, server }) => `${client.address} → ${server.address}`);
  expect(new Set(ends)).toEqual(new Set([`${overLink.network.remote.address} → ${overLink.network.ground.address}`]));
});

test('a PEP that saw no connection breaks the Round, with the reason', async () => {
  const run = await measure({
    urlLists: { pages: ['http://127.0.0.1:1/'] }, // never crosses the path
    scenarios: [{ name: 'elsewhere', baseline: true, network }],
    repetition: { rounds: 1, warmUp: false, attempts: 1 },
  });
  expect(run.rounds[0]).toMatchObject({
    state: 'broken',
    problem: expect.stringContaining('the PEP at the terminal saw no TCP connection') as string,
  });
});
