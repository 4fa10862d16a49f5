import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { recordAgent } from '#controller/agents/agents.ts';
import { issueToken, verifyToken } from '#controller/people/tokens.ts';
import { AgentSummarySchema, NewTokenSchema } from '#core/protocol/api/access.ts';
import { protocolVersion } from '#core/protocol/agent-messages.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';
import { hostFacts } from '../../support/sample-host-facts.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { postJson, startTestController } from '../../support/controller.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** Of a token. */
interface Holder {
  id: string;
  name: string;
}

const it = holdForAll(() => startTestController());

test('a token that was made for one Host lets no Agent of another name join', async () => {
  const { token } = await issueToken(it.controller.pool, { name: 'lab 3', scope: 'agent', agentName: 'lab 3' });
  const answerTo = async (name: string) => {
    const socket = new WebSocket(`${it.controller.localUrl.replace('http', 'ws')}/agent`, offerToken(token));
    try {
      await once(socket, 'open');
      const answered = once(socket, 'message');
      socket.send(
        JSON.stringify({ type: 'hello', protocolVersion, agentVersion: '1', name, facts: hostFacts, passes: [] }),
      );
      const [data] = (await answered) as [Buffer];
      return z.object({ type: z.string(), code: z.string().optional() }).parse(JSON.parse(data.toString()));
    } finally {
      socket.terminate();
    }
  };
  expect(await answerTo('lab 4')).toEqual({ type: 'refused', code: 'token-refused' });
  expect(await answerTo('lab 3')).toEqual({ type: 'welcome' });
});

test('a Host that is revoked is forgotten, and its token is worth nothing', async () => {
  const { pool } = it.controller;
  const { browser } = await it.signIn('evaluator');
  const { id, token } = NewTokenSchema.parse(
    await (await browser('/api/tokens', postJson({ name: 'lab 1', scope: 'agent', agentName: 'lab 1' }))).json(),
  );
  for (const name of ['lab 1', 'lab 2'])
    await recordAgent(pool, { name, tokenId: id, agentVersion: '1', facts: hostFacts });
  const names = async () =>
    z
      .array(AgentSummarySchema)
      .parse(await (await browser('/api/agents')).json())
      .filter(({ name }) => name !== 'lab 3')
      .map(({ name, tokenSharedWith }) => ({ name, tokenSharedWith }));
  expect(await names()).toEqual([
    { name: 'lab 1', tokenSharedWith: 1 },
    { name: 'lab 2', tokenSharedWith: 1 },
  ]);

  expect((await browser('/api/agents/lab%201', { method: 'DELETE' })).status).toBe(204);
  expect(await names()).toEqual([{ name: 'lab 2', tokenSharedWith: 0 }]);
  expect(await verifyToken(pool, token, 'agent')).toBeNull();
  expect((await browser('/api/agents/lab%201', { method: 'DELETE' })).status).toBe(404);
});

test.each([
  ['its token', ({ id }: Holder) => `/api/tokens/${id}`],
  ['the Host', ({ name }: Holder) => `/api/agents/${name}`],
])('an Agent is disconnected when %s is revoked, and others stay', async (what, addressOf) => {
  const { pool } = it.controller;
  const name = `to-be-revoked-${what.split(' ')[1]}`;
  await using other = await joinAgent(it.controller, { name: `${name}-other` });
  await using agent = await joinAgent(it.controller, { name });
  const { rows } = await pool.query<{ id: string }>('select token_id as id from agent where name = $1', [name]);
  const { browser } = await it.signIn('admin');
  const revoked = await browser(addressOf({ id: rows[0]!.id, name }), { method: 'DELETE' });
  expect(revoked.status).toBe(204);
  await expect.poll(() => agent.heard.at(-1)).toMatchObject({ type: 'refused', code: 'token-refused' });
  expect(other.heard.some(({ type }) => type === 'refused')).toBe(false);
});
