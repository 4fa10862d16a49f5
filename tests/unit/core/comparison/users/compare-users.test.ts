import { describe, expect, it } from 'vitest';
import { compareUsers } from '#core/comparison/users/compare-users.ts';
import type { PassStart } from '#core/record/run-record.ts';
import { design, gather, visit } from '../support/visits.ts';

describe('the users of a Round', () => {
  // The User Agent that starts first takes 80, the other 125: the geometric mean is 100. They start first in turn.
  const rounds = [1, 2, 3, 4].map((block) => ({
    block,
    first: block % 2 ? 'alice' : 'bob',
    second: block % 2 ? 'bob' : 'alice',
  }));
  const visits = rounds.flatMap(({ block, first, second }) => [
    visit({ block, userAgent: first, value: 80 }),
    visit({ block, userAgent: second, value: 125 }),
  ]);
  const starts = rounds.flatMap(({ block, first, second }) => [
    {
      block,
      scenario: 'direct',
      userAgent: second,
      startedEpochMs: 1000 * block + 4 + block,
      firstRequestEpochMs: null,
    },
    { block, scenario: 'direct', userAgent: first, startedEpochMs: 1000 * block, firstRequestEpochMs: null },
  ]);

  it('are compared by name and by the order of their starts', () => {
    const compared = compareUsers(gather(visits), starts, design);
    if (compared.kind === 'absent') throw new Error(compared.reason);
    const [direct, proxy] = compared.scenarios;
    expect(direct!.byStartOrder!.map((estimate) => estimate!.mean)).toEqual([
      expect.closeTo(0.8, 12),
      expect.closeTo(1.25, 12),
    ]);
    expect(direct!.firstToStart).toMatchObject({ blocks: 4, ratio: expect.closeTo(0.2, 12) as number, adjustedP: 0 });
    expect(direct!.users.map(({ latencyMs, relativeLatency }) => [latencyMs!.mean, relativeLatency!.mean])).toEqual([
      [102.5, expect.closeTo(1.025, 12)],
      [102.5, expect.closeTo(1.025, 12)],
    ]);
    expect(direct!.maxMinRatio!.mean).toBeCloseTo(1.5625, 12);
    expect(direct!.startSkewMs).toEqual({ median: 6.5, largest: 8 });
    expect(proxy).toMatchObject({ maxMinRatio: null, byStartOrder: null, firstToStart: null, startSkewMs: null });
  });

  it('are those that take part in the Scenario', () => {
    const usersOf = new Map([['direct', ['alice', 'bob']]]);
    const compared = compareUsers(gather(visits), starts, {
      ...design,
      userAgents: ['alice', 'bob', 'carol'],
      usersOf,
    });
    const direct = compared.kind === 'measured' && compared.scenarios[0]!;
    expect(direct).toMatchObject({
      users: [{ userAgent: 'alice' }, { userAgent: 'bob' }],
      maxMinRatio: { mean: expect.closeTo(1.5625, 12) as number },
      byStartOrder: [{ mean: expect.closeTo(0.8, 12) as number }, { mean: expect.closeTo(1.25, 12) as number }],
    });
  });

  it('give no effect of the order where one is faster and most often first, and the whole effect where the order has one', () => {
    const blocks = Array.from({ length: 12 }, (_, index) => index + 1);
    /** Alice takes half of what bob does, and is first but in Blocks 4 and 9. */
    const compare = (
      factorOfFirst: number,
      firstOf = (block: number) => (block === 4 || block === 9 ? 'bob' : 'alice'),
    ) => {
      const users = ['alice', 'bob'].flatMap((userAgent) => blocks.map((block) => ({ userAgent, block })));
      const compared = compareUsers(
        gather(
          users.map(({ userAgent, block }) =>
            visit({
              block,
              userAgent,
              value:
                (userAgent === 'alice' ? 500 : 1000) *
                (1 + ((block * 5) % 7) / 1000) *
                (firstOf(block) === userAgent ? factorOfFirst : 1),
            }),
          ),
        ),
        users.map(({ userAgent, block }) => ({
          block,
          scenario: 'direct',
          userAgent,
          startedEpochMs: 1000 * block + (firstOf(block) === userAgent ? 0 : 5),
          firstRequestEpochMs: null,
        })),
        design,
      );
      if (compared.kind === 'absent') throw new Error(compared.reason);
      return compared.scenarios[0]!;
    };
    expect(compare(1).firstToStart!.ratio).toBeCloseTo(0, 9);
    expect(compare(1).byStartOrder!.map((estimate) => estimate!.mean)).toEqual([
      expect.closeTo(1, 9),
      expect.closeTo(1, 9),
    ]);
    // Of the Round’s geometric mean, the first takes the root of the factor.
    expect(compare(0.64).firstToStart!.ratio).toBeCloseTo(0.2, 9);
    expect(compare(0.64, () => 'alice')).toMatchObject({ firstToStart: null, byStartOrder: null });
  });

  it('are in the order of their first requests where all are known', () => {
    // All navigate at one instant, and send their requests the other way round.
    const requested = starts.map((start) => ({
      ...start,
      startedEpochMs: 0,
      firstRequestEpochMs: 1000 - (start.startedEpochMs % 1000),
    }));
    const placesOf = (known: readonly PassStart[]) => {
      const compared = compareUsers(gather(visits), known, design);
      if (compared.kind === 'absent') throw new Error(compared.reason);
      const { byStartOrder, startSkewMs } = compared.scenarios[0]!;
      return { means: byStartOrder!.map((estimate) => estimate!.mean), startSkewMs };
    };
    expect(placesOf(requested)).toEqual({
      means: [expect.closeTo(1.25, 12), expect.closeTo(0.8, 12)],
      startSkewMs: { median: 0, largest: 0 },
    });
    const oneUnknown = starts.map((start, index) => ({ ...start, firstRequestEpochMs: index % 2 ? null : 0 }));
    expect(placesOf(oneUnknown)).toEqual(placesOf(starts));
  });

  it('are ordered in the Rounds whose starts are known alone', () => {
    const known = starts.filter(({ block, userAgent }) => block !== 2 && !(block === 3 && userAgent === 'bob'));
    const compared = compareUsers(gather(visits), known, design);
    expect(compared).toMatchObject({
      scenarios: [
        {
          byStartOrder: [
            { rounds: 2, mean: expect.closeTo(0.8, 12) as number },
            { rounds: 2, mean: expect.closeTo(1.25, 12) as number },
          ],
          firstToStart: { blocks: 2, ratio: expect.closeTo(0.2, 12) as number },
          maxMinRatio: { rounds: 4 },
          startSkewMs: { median: 6.5, largest: 8 },
        },
        {},
      ],
    });
  });

  it('who are to begin later are in the order that was intended, so that nothing is said of the order of starts', () => {
    const startOffsetsMs = new Map([
      ['alice', 0],
      ['bob', 100],
    ]);
    const late = starts.map((start) => ({
      ...start,
      startedEpochMs: start.startedEpochMs + startOffsetsMs.get(start.userAgent)!,
    }));
    const compared = compareUsers(gather(visits), late, { ...design, startOffsetsMs });
    expect(compared).toMatchObject({
      scenarios: [{ byStartOrder: null, firstToStart: null, startSkewMs: { median: 6.5, largest: 8 } }, {}],
    });
    // All later alike is no order.
    const alike = compareUsers(gather(visits), starts, {
      ...design,
      startOffsetsMs: new Map([
        ['alice', 5],
        ['bob', 5],
      ]),
    });
    expect(alike).toMatchObject({
      scenarios: [{ byStartOrder: [{}, {}], startSkewMs: { median: 6.5, largest: 8 } }, {}],
    });
  });

  it('are compared over the URLs that at least two of them loaded', () => {
    const own = [1, 2, 3, 4].map((block) => visit({ block, userAgent: 'bob', url: 'b', value: 100_000 }));
    const compared = compareUsers(gather([...visits, ...own]), starts, design);
    expect(compared).toMatchObject({
      scenarios: [{ users: [{}, { relativeLatency: { mean: expect.closeTo(1.025, 12) as number } }] }, {}],
    });
  });

  it('are not compared when there is one', () => {
    expect(compareUsers(gather(visits), starts, { ...design, userAgents: ['alice'] })).toMatchObject({
      kind: 'absent',
    });
  });
});
