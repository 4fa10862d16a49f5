import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { Engine } from '#core/evaluation/user-agent.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { makeTemplate } from '#web-ui/src/pages/new-evaluation/template.ts';
import { hostFacts } from '../../support/host-facts.ts';

const agent = (name: string, engines: Engine[], isConnected = true): AgentSummary => ({
  name, isConnected, agentVersion: '0.1.0', lastSeenAt: '2026-11-22T12:00:00.000Z', clockOffsetMs: 0, clockErrorMs: 0, tokenSharedWith: [],
  facts: { ...hostFacts, engines: engines.map((engine) => ({ engine, version: '1' })) },
});

test.for<[string, AgentSummary[], { host: string; engine: Engine }]>([
  ['no host', [], { host: 'my-laptop', engine: 'chrome' }],
  ['a host with a browser, after one without', [agent('ground', ['http']), agent('remote', ['http', 'chrome'])], { host: 'remote', engine: 'chrome' }],
  ['Firefox alone', [agent('a', ['http', 'firefox'])], { host: 'a', engine: 'firefox' }],
  ['a browser that is gone', [agent('a', ['chrome'], false), agent('b', ['http'])], { host: 'b', engine: 'http' }],
  ['a host of which only the extension is known', [agent('a', ['extension'])], { host: 'a', engine: 'chrome' }],
])('the first Evaluation is whole, and measures with a real browser where there is one: %s', ([, agents, { host, engine }]) => {
  const { userAgents } = EvaluationSchema.parse(parse(makeTemplate(agents)));
  expect(userAgents.map((user) => [user.host, user.engine])).toEqual([[host, engine], [host, engine]]);
});
