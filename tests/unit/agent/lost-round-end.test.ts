import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeOrder } from './hold-agent.ts';
import { useHeldAgent } from './use-held-agent.ts';

const held = useHeldAgent();

describe('a Round whose end never reached an Agent', () => {
  it('holds up no upload of a later one, where its Pass waited for the start', async () => {
    const [earlier, later] = [
      makeOrder({ roundId: randomUUID(), url: held.url }),
      makeOrder({ roundId: randomUUID(), url: held.url }),
    ];
    await held.prepare(earlier);
    expect((await held.restartController()).passes).toEqual([{ passId: earlier.passId, state: 'ready' }]);

    await held.prepare(later);
    held.start(later);
    await held.hearOf('pass-ended', later);
    held.agent.send({ type: 'upload-visits' });
    expect((await held.hear('visits')).visits).toMatchObject([{ passId: later.passId, outcome: { status: 'ok' } }]);
    expect((await held.restartController()).passes).toMatchObject([{ passId: later.passId, state: 'ended' }]);
  });

  it('loads nothing any more when the next one is made ready', async () => {
    const [earlier, later] = [
      makeOrder({ roundId: randomUUID(), url: `${held.url}/held` }),
      makeOrder({ roundId: randomUUID(), url: held.url }),
    ];
    await held.prepare(earlier);
    held.start(earlier);
    await expect.poll(() => held.events, held.within).toContain('asked');
    expect((await held.restartController()).passes).toEqual([{ passId: earlier.passId, state: 'running' }]);

    await held.prepare(later);
    expect(held.events).toEqual(['ready', 'asked', 'left', 'ready']);
  });

  it('is another than that of Passes which are made beside each other', async () => {
    const roundId = randomUUID();
    const orders = [makeOrder({ roundId, url: held.url }), makeOrder({ roundId, url: held.url })];
    for (const order of orders) await held.prepare(order);
    expect((await held.restartController()).passes).toEqual(orders.map(({ passId }) => ({ passId, state: 'ready' })));
  });
});
