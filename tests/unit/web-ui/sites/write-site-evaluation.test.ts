import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { parseYaml } from '#core/input/parse-yaml.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { writeSiteEvaluation } from '#web-ui/src/pages/sites/site-detail-page.tsx';

const agent: AgentSummary = {
  name: 'remote',
  isConnected: true,
  agentVersion: '0.1.0',
  lastSeenAt: '2026-11-22T12:00:00.000Z',
  clockOffsetMs: 0,
  clockErrorMs: 0,
  tokenSharedWith: 0,
  facts: { ...hostFacts, engines: [{ engine: 'firefox', version: '1' }] },
};

test('a Site becomes an Evaluation that is valid as it stands, whatever its name, with a browser of the testbed', () => {
  for (const name of ['shop', 'näme "with": # signs', '{x}', '12', 'x'.repeat(80)]) {
    const yaml = writeSiteEvaluation({ site: { name, page: 3 }, agents: [agent], takenNames: [name] });
    const parsed = parseYaml(yaml, EvaluationSchema);
    if (parsed.kind !== 'valid') throw new Error(`${name}: ${JSON.stringify(parsed.issues)}`);
    expect(parsed.value).toMatchObject({
      urlLists: { [name]: [{ site: name, page: 3 }] },
      userAgents: [{ engine: 'firefox', host: 'remote', urlList: name }],
      scenarios: [{ network: { link: { preset: 'cable' } } }, { network: { link: { preset: 'geo-1m' } } }],
    });
    expect(parsed.value.name).not.toBe(name);
  }
});

test('without a testbed there is a draft all the same', () => {
  const yaml = writeSiteEvaluation({ site: { name: 'shop', page: 1 }, agents: [], takenNames: [] });
  expect(yaml).toContain('engine: chrome');
});
