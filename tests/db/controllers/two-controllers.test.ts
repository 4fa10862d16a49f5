import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertMessages } from '#controller/agents/exchange/controller-messages.ts';
import type { ExchangedMessage } from '#controller/agents/exchange/outbox.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { evaluationOn } from './support/measuring-agent.ts';
import { measureAtBoth, readState, requestRun, startTwoControllers } from './support/two-controllers.ts';
import { holdForEach } from '#tests/support/hold.ts';

const controllers = holdForEach(startTwoControllers);

test(
  'a Run whose Agents are at different Controllers is executed by one of them, and both show it alike while it is measured',
  { timeout: 180_000 },
  () => measureAtBoth(controllers),
);

test(
  'at another Controller, an order is executed once, that of an owner before is not, and a revoked token ends the line',
  { timeout: 180_000 },
  async () => {
    const { pool, page, one, other } = controllers;
    await using laptop = await joinAgent(other.controller, { name: 'laptop' });
    const evaluation = evaluationOn(['laptop'], { url: page.url, rounds: 1 });
    const id = await requestRun(one, evaluation);
    await one.program(`/api/runs/${id}/pause`, { method: 'POST' });
    await expect.poll(() => readState(pool, id)).toBe('running');
    const { rows } = await pool.query<{ owner: string; epoch: number; recipient: string; line: number }>(
      `select owner, epoch, controller as recipient, line::int from run, agent_line where run.id = $1`,
      [id],
    );
    const { owner, epoch, recipient, line } = rows[0]!;
    const send = (number: number, own: { epoch: number; line: number }, reason: string) =>
      insertMessages(pool, owner, [
        {
          to: recipient,
          number,
          run: { id, epoch: own.epoch },
          body: JSON.stringify({
            kind: 'order',
            agent: 'laptop',
            line: own.line,
            message: { type: 'cancel-pass', passId: randomUUID(), reason },
          } satisfies ExchangedMessage),
        },
      ]);
    await send(1_000, { epoch, line }, 'first');
    const heard = () => laptop.heard.flatMap((message) => (message.type === 'cancel-pass' ? [message.reason] : []));
    await expect.poll(heard).toContain('first');
    await send(1_000, { epoch, line }, 'repeated');
    await send(1_001, { epoch: epoch - 1, line }, 'of an owner before');
    await send(1_002, { epoch, line: line - 1 }, 'for a line before');
    await send(1_003, { epoch, line }, 'last');
    await expect.poll(heard).toContain('last');
    expect(heard().filter((reason) => reason !== 'The Round is over')).toEqual(['first', 'last']);

    const { rows: tokens } = await pool.query<{ id: string }>(`select token_id as id from agent where name = 'laptop'`);
    const { browser } = await one.signIn();
    expect((await browser(`/api/tokens/${tokens[0]!.id}`, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(() => laptop.heard.at(-1)).toMatchObject({ type: 'refused', code: 'token-refused' });
  },
);

test('a token that was revoked ends the line, though the notice of it was lost', async () => {
  const { pool, other } = controllers;
  await using desk = await joinAgent(other.controller, { name: 'desk' });
  await pool.query(`update token set revoked_at = now() where id = (select token_id from agent where name = 'desk')`);
  await expect.poll(() => desk.heard.at(-1)).toMatchObject({ type: 'refused', code: 'token-refused' });
});
