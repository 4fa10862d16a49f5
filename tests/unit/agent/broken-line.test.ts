import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeOrder } from './hold-agent.ts';
import { useHeldAgent } from './use-held-agent.ts';

const held = useHeldAgent();

it('a Pass that is made ready while the line is down reads the clock when it is back', async () => {
  const order = makeOrder({ roundId: randomUUID(), url: held.url });
  held.agent.send({ type: 'prepare-pass', order });
  await held.obeyed();
  held.agent.break();
  // Meanwhile the client has started, and the clock is to be read.
  await held.passUntil(() => held.agent.knocks >= 4);
  await held.letIn();
  await held.hearOf('pass-ready', order);
});

it('what was to be uploaded while the line was down is uploaded when it is back', async () => {
  const order = makeOrder({ roundId: randomUUID(), url: `${held.url}/held` });
  await held.prepare(order);
  held.start(order);
  await expect.poll(() => held.events, held.within).toContain('asked');
  held.agent.send({ type: 'upload-visits' });
  await held.obeyed();
  held.agent.break();
  await held.passUntil(() => held.agent.knocks >= 1);
  held.release();
  await expect.poll(() => held.agent.logged, held.within).toContain('No Pass is under way');
  await held.letIn();
  expect((await held.hear('visits', ({ visits }) => visits.length > 0)).visits).toMatchObject([
    { passId: order.passId },
  ]);
});
