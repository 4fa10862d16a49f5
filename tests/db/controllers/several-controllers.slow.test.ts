import { expect, test } from 'vitest';
import type { TestController } from '../../support/controller.ts';
import { hasPgbouncer } from '../../support/start-pgbouncer.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';
import { countCompleted, evaluationOn, startMeasuringAgent } from './support/measuring-agent.ts';
import { countBroken, measureAtBoth, readState, requestRun, startTwoControllers } from './support/two-controllers.ts';

const portOf = ({ controller }: TestController) => Number(new URL(controller.localUrl).port);

test(
  'an Agent that changes its Controller in a Round, away from the owner and back, finishes that Round',
  { timeout: 180_000 },
  async () => {
    await using controllers = await startTwoControllers(['one']);
    const { pool, page, one, other, stack } = controllers;
    await using relay = await startTcpRelay(portOf(one));
    stack.use(await startMeasuringAgent({ pool, controllerUrl: `http://127.0.0.1:${relay.port}`, name: 'laptop' }));
    await expect.poll(() => one.controller.agents.isConnected('laptop'), { timeout: 60_000 }).toBe(true);
    page.hold();
    const id = await requestRun(one, evaluationOn(['laptop'], { url: page.url, rounds: 1 }));
    for (const [index, next] of [other, one, other].entries()) {
      await expect.poll(() => page.requests, { timeout: 60_000 }).toBe(index + 1);
      relay.moveTo(portOf(next));
      await expect.poll(() => next.controller.agents.isConnected('laptop'), { timeout: 60_000 }).toBe(true);
      page.release();
      page.hold();
    }
    page.release();
    await expect.poll(() => readState(pool, id), { timeout: 120_000 }).toBe('completed');
    expect(await countCompleted(pool, id)).toEqual({ rounds: 2, indexes: 2, visits: 6, distinctVisits: 6 });
    expect(await countBroken(pool, id)).toBe(0);
  },
);

test.skipIf(!hasPgbouncer())(
  'two Controllers behind PgBouncer measure a Run whose Agents are at both, and show it alike',
  { timeout: 180_000 },
  async () => {
    await using controllers = await startTwoControllers(['one', 'other']);
    await measureAtBoth(controllers);
  },
);
