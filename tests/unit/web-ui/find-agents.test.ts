import { expect, test } from 'vitest';
import { AgentTable, findAgents } from '#web-ui/src/pages/hosts/agent-table.tsx';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { renderInPage, textsOf } from './support/render-in-page.ts';

const agent = (name: string, isConnected: boolean, address: string) => ({
  name,
  agentVersion: '1',
  lastSeenAt: '2026-11-26T20:00:00.000Z',
  clockOffsetMs: null,
  clockErrorMs: null,
  tokenSharedWith: 0,
  isConnected,
  facts: { ...hostFacts, interfaces: [{ name: 'eth0', addresses: [address] }] },
});
const agents = [agent('lab-1', true, '192.0.2.7'), agent('lab-2', false, '192.0.2.8')];
const found = (words: string) => findAgents(agents, words).map(({ name }) => name);

test('hosts are found by all words of what is shown of them', () => {
  expect(found('')).toEqual(['lab-1', 'lab-2']);
  expect(found('LAB chromium')).toEqual(['lab-1', 'lab-2']);
  expect(found('lab 192.0.2.8')).toEqual(['lab-2']);
  expect(found('not connected')).toEqual(['lab-2']);
  expect(found('lab-1 firefox')).toEqual([]);
});

test('of thousands of hosts some are shown at first, with the count of all and a button for more', () => {
  const many = Array.from({ length: 2_150 }, (_, index) => agent(`lab-${index}`, true, '192.0.2.7'));
  const html = renderInPage(AgentTable, { agents: many });
  expect([...html.matchAll(/<th[^>]* scope="row"/g)]).toHaveLength(100);
  const texts = textsOf(html);
  expect(texts).toContain('2 150 hosts');
  expect(texts.at(-1)).toBe('Show 100 more');
  expect(textsOf(renderInPage(AgentTable, { agents })).join(' ')).not.toContain('more');
});

test('a host with one processor has one CPU', () => {
  const [host] = agents;
  const alone = { ...host!, facts: { ...host!.facts, cpuCount: 1 } };
  const textOf = (...hosts: typeof agents) => textsOf(renderInPage(AgentTable, { agents: hosts })).join(' ');
  expect(textOf(alone)).toContain(' 1 CPU, ');
  expect(textOf(host!)).toContain(` ${host!.facts.cpuCount} CPUs, `);
});
