import { expect, test } from 'vitest';
import { markTraits, readTrait } from '#core/evaluation/scenarios/scenario-trait.ts';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import type { z } from 'zod';

const traitsOf = (scenarios: z.input<typeof ScenarioSchema>[]) =>
  markTraits(scenarios.map((scenario) => ScenarioSchema.parse(scenario))).map(({ trait }) => trait);

const link = { forward: { rateKbps: 1000, delayMs: 10 }, return: { rateKbps: 1000, delayMs: 10 } };
const tcp = (congestionControl: string) => ({ network: { link, tcp: { ground: { congestionControl } } } });

test('a Scenario is set apart by the settings that differ, not by those that all have', () => {
  const browser = { protocols: ['http/1.1' as const], connectionsPerOrigin: 6 };
  expect(
    traitsOf([
      { name: 'one', browser, ...tcp('cubic') },
      { name: 'other', browser, ...tcp('hybla') },
    ]),
  ).toEqual(['cubic', 'hybla']);
  expect(
    traitsOf([
      { name: 'one', browser: { protocols: ['http/1.1'] }, ...tcp('cubic') },
      { name: 'other', browser: { protocols: ['http/1.1', 'h2'] }, ...tcp('cubic') },
    ]),
  ).toEqual(['http/1.1', 'h2']);
});

test('what differs between groups alone sets nothing apart', () => {
  const pep = { network: { link, tcpPep: {} } };
  expect(
    traitsOf([
      { name: 'HTTP/1.1', group: 'direct', browser: { protocols: ['http/1.1'] }, network: { link } },
      { name: 'HTTP/2', group: 'direct', browser: { protocols: ['h2'] }, network: { link } },
      { name: 'HTTP/2 by PEP', group: 'PEP', browser: { protocols: ['h2'] }, ...pep },
      { name: 'HTTP/1.1 by PEP', group: 'PEP', browser: { protocols: ['http/1.1'] }, ...pep },
    ]),
  ).toEqual(['http/1.1', 'h2', 'h2', 'http/1.1']);
});

test('proxies are set apart by what they are and do', () => {
  expect(
    traitsOf([
      { name: 'direct' },
      { name: 'fair', httpep: {} },
      { name: 'paper', httpep: { scheduler: 'fifo' } },
      { name: 'images', httpep: { images: 'jpeg' } },
      { name: 'squid', processes: [{ name: 'Squid', host: 'ground', command: 'squid' }] },
      { name: 'split', network: { link, tcpPep: {} } },
    ]),
  ).toEqual([undefined, 'httpep', 'httpep fifo', 'httpep jpeg', 'squid', 'pep']);
});

test.for([
  ['HTTP/2, 1000 streams', 'h2'],
  ['HTTP/1.1 by a proxy', 'http/1.1 + proxy'],
  ['HTTPS, TLS 1.3', 'https'],
  ['HTTPEP, fair', 'httpep'],
  ['HTTP/3', 'h3'],
  ['westwood', 'westwood'],
  ['8 connections, pipelined', '8 connections + pipelined'],
  ['1 connection', '1 connection'],
  ['direct', null],
  ['as today', null],
] as const)('the name "%s" means %s', ([name, trait]) => {
  expect(readTrait(name)).toBe(trait);
});
