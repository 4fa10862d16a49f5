import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { alignFirstRequests, limitPages, limitPasses, orderPasses } from '#controller/coordinator/order-passes.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { PassOrderSchema } from '#core/protocol/pass-order.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

const evaluation = EvaluationSchema.parse({
  ...makeEvaluation(),
  pageLoad: { visitsPerUrl: 2, restMs: 300, timeoutMs: 10_000 },
  userAgents: [
    { name: 'alice', host: 'laptop', urlList: 'pages' },
    { name: 'bob', host: 'laptop', urlList: 'pages', visitsPerUrl: 1, restMs: 50, startOffsetMs: 4000 },
    { name: 'carol', host: 'laptop', urlList: 'pages', visitsPerUrl: 3, restMs: { exponential: 5000 } },
  ],
});
const round = { id: randomUUID(), runId: '1', seed: 42, block: 3, evaluation };
const order = (changes: Partial<typeof round> & { scenario?: string } = {}) =>
  orderPasses({ ...round, scenario: 'direct', ...changes });
const restsOf = (passes: ReturnType<typeof order>, index: number) =>
  passes[index]!.order.visits.map(({ restMs }) => restMs);

describe('the Passes of a Round', () => {
  it('have the rhythm of their User Agents, and that of the page load where these have none', () => {
    const passes = order();
    expect(
      passes.map(({ order: { visits, pageLoad }, startOffsetMs }) => [visits.length, pageLoad.restMs, startOffsetMs]),
    ).toEqual([
      [6, 300, 0],
      [3, 50, 4000],
      [9, 0, 0],
    ]);
    expect(restsOf(passes, 0)).toEqual(Array.from({ length: 6 }, () => undefined));
    for (const each of passes) expect(PassOrderSchema.parse(each.order)).toEqual(each.order);
  });

  it('are those of the User Agents that take part, with the think times that they have beside the others', () => {
    const [direct, ...others] = evaluation.scenarios;
    const alone = { ...direct!, name: 'carol alone', baseline: false, userAgents: ['carol'] };
    const withAlone = { ...evaluation, scenarios: [direct!, ...others, alone] };
    const [carol, ...nobody] = order({ evaluation: withAlone, scenario: 'carol alone' });
    expect(nobody).toEqual([]);
    expect(carol!.order.userAgent).toBe('carol');
    expect(restsOf([carol!], 0)).toEqual(restsOf(order(), 2));
  });

  it('have the same think times in every Scenario of a Block and in another try, and others in another Block', () => {
    const rests = restsOf(order(), 2);
    expect(rests[0]).toBe(0);
    expect(rests.slice(1).every((rest) => rest! > 0)).toBe(true);
    expect(restsOf(order({ scenario: 'proxy', id: randomUUID() }), 2)).toEqual(rests);
    expect(restsOf(order({ block: 4 }), 2)).not.toEqual(rests);
    expect(restsOf(order({ seed: 43 }), 2)).not.toEqual(rests);
  });

  it('may take as long as their rests and offsets ask for', () => {
    const [alice, bob, carol] = order();
    expect(limitPasses([alice!])).toEqual({ prepareLimitMs: 120_300, passLimitMs: 500 + 6 * 25_300 });
    expect(limitPasses([bob!])).toEqual({ prepareLimitMs: 120_050, passLimitMs: 500 + 4000 + 3 * 25_050 });
    const thinksMs = restsOf([carol!], 0).reduce<number>((sum, rest) => sum + rest!, 0);
    expect(limitPasses([alice!, bob!, carol!])).toEqual({
      prepareLimitMs: 120_300,
      passLimitMs: 500 + 9 * 25_000 + thinksMs,
    });
  });

  it('begin earlier the longer their first request takes, so that all leave together', () => {
    const startsOf = (delays: [string, number][]) =>
      alignFirstRequests(order(), new Map(delays)).map(({ startOffsetMs }) => startOffsetMs);
    expect(startsOf([])).toEqual([0, 4000, 0]);
    expect(
      startsOf([
        ['alice', 4],
        ['bob', 30],
        ['carol', 21],
      ]),
    ).toEqual([26, 4000, 9]);
    // Of one that is not known nothing changes, and no one waits for a request that waits for something else than its engine.
    expect(
      startsOf([
        ['alice', 4],
        ['bob', 60_000],
      ]),
    ).toEqual([4996, 4000, 0]);
  });

  it('in step have the time of the slowest User Agent for each page', () => {
    const userAgents = evaluation.userAgents.map((userAgent) => ({ ...userAgent, startOffsetMs: 0 }));
    const repetition = { ...evaluation.repetition, barrier: 'page' as const };
    const passes = order({ evaluation: EvaluationSchema.parse({ ...evaluation, userAgents, repetition }) });
    expect(passes.map((each) => each.order.isInStep)).toEqual([true, true, true]);
    expect(limitPages(order())).toEqual([]);
    const thinksMs = restsOf(passes, 2).map((rest) => rest!);
    const limitsMs = limitPages(passes);
    // Each is followed by the rest before the next one: of alice and bob, who have 6 and 3 pages, or of carol, who has 9.
    expect(limitsMs).toEqual(
      Array.from({ length: 9 }, (_, page) => 25_000 + Math.max(page < 5 ? 300 : 0, thinksMs[page + 1] ?? 0)),
    );
    const { passLimitMs } = limitPasses(passes);
    expect(passLimitMs).toBe(limitsMs.reduce((sum, each) => sum + 500 + each, 0));
  });

  it('of an order beyond its bounds are refused by the Agent', () => {
    const [alice] = order();
    const withRest = (restMs: number) => ({
      ...alice!.order,
      visits: alice!.order.visits.map((visit) => ({ ...visit, restMs })),
    });
    expect(PassOrderSchema.safeParse(withRest(6_000_000)).success).toBe(true);
    expect(PassOrderSchema.safeParse(withRest(6_000_001)).success).toBe(false);
    expect(PassOrderSchema.safeParse(withRest(-1)).success).toBe(false);
  });
});
