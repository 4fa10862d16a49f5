import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { VisitSpool } from '#agent/spool/visit-spool.ts';
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

it('a Pass in step waits for the start of its next Visit, says after a break of the line that it does, and ends with the Run at once', async () => {
  const visits = ['/1', '/2', '/3'].map((path) => ({ url: held.url + path, repetition: 1 }));
  const order = { ...makeOrder({ roundId: randomUUID(), url: held.url }), visits, isInStep: true };
  const { passId } = order;
  const loaded = (sequence: number) => held.hear('visit-ended', (message) => message.sequence === sequence);
  await held.prepare(order);
  held.start(order);
  await loaded(0);
  expect(await held.hear('visit-ready')).toMatchObject({ passId, sequence: 1 });
  const { passes } = await held.restartController();
  expect(passes).toMatchObject([{ passId, state: 'running', readyFor: 1 }]);
  // Of another Visit.
  held.agent.send({ type: 'start-visit', passId, sequence: 2, startEpochMs: 0 });
  await held.obeyed();
  expect(held.agent.said.filter(({ type }) => type === 'visit-ended')).toHaveLength(1);
  held.agent.send({ type: 'start-visit', passId, sequence: 1, startEpochMs: 0 });
  await loaded(1);
  await held.hear('visit-ready', ({ sequence }) => sequence === 2);
  held.agent.send({ type: 'cancel-pass', passId, reason: 'The Run was stopped' });
  await expect.poll(() => held.agent.logged, held.within).toContain('No Pass is under way');
  expect((await held.restartController()).passes).toEqual([]);
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

it('an acknowledgement that cannot be written down, as on a full disk, is given again on the next line', async () => {
  const forget = vi.spyOn(VisitSpool.prototype, 'forget').mockImplementationOnce(() => {
    throw new Error('database or disk is full');
  });
  const order = makeOrder({ roundId: randomUUID(), url: held.url });
  await held.prepare(order);
  held.start(order);
  await held.hearOf('pass-ended', order);
  const sent = () => held.agent.said.filter((message) => message.type === 'visits' && message.visits.length > 0);
  held.agent.send({ type: 'upload-visits' });
  const { visits } = await held.hear('visits', (message) => message.visits.length > 0);
  held.agent.send({ type: 'visits-stored', visitIds: visits.map(({ id }) => id) });
  // It says hello again, and that Visits wait.
  await held.passUntil(() => held.agent.said.filter(({ type }) => type === 'hello').length === 2);
  held.agent.send({ type: 'upload-visits' });
  await held.passUntil(() => sent().length === 2);
  held.agent.send({ type: 'visits-stored', visitIds: visits.map(({ id }) => id) });
  await held.passUntil(() => forget.mock.calls.length === 2);
  forget.mockRestore();
});
