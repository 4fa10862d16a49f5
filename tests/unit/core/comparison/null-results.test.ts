import { describe, expect, test } from 'vitest';
import type { ScenarioBandwidth } from '#core/comparison/comparison.ts';
import { stateEvenShares } from '#core/comparison/findings/state-findings.ts';
import type { ScenarioWire } from '#core/comparison/network/compare-wire.ts';
import type { ScenarioUsers } from '#core/comparison/users/compare-users.ts';
import { stateNoStartOrder, stateStartOrder } from '#web-ui/src/pages/comparison/network/users-section.tsx';
import { stateSameWire } from '#web-ui/src/pages/comparison/network/wire-section.tsx';

const estimate = (mean: number, halfWidth: number | null) => ({ rounds: 10, mean, standardDeviation: 1, halfWidth });

describe('bandwidth shares become a sentence', () => {
  const shared = (...shares: [number, number | null][]) =>
    ({
      shares: shares.map(([mean, halfWidth], index) => ({
        userAgent: `user ${index}`,
        estimate: estimate(mean, halfWidth),
      })),
    }) as ScenarioBandwidth;

  test('where each interval lies within 5 % of an even share', () => {
    const even = shared([0.5, 0.01], [0.5, 0.01]);
    expect(stateEvenShares([even, even])).toContain('in every Scenario (50 %)');
    expect(stateEvenShares([even])).toContain('of the bytes (50 %)');
    const among = (users: number) => shared(...Array.from({ length: users }, (): [number, number] => [1 / users, 0]));
    expect(stateEvenShares([among(8)])).toContain('of the bytes (12.5 %)');
    expect(stateEvenShares([among(30)])).toContain('of the bytes (3.33 %)');
  });

  test('and not where one is uneven, nor where the interval is too wide to know', () => {
    expect(stateEvenShares([shared([0.5, 0.01], [0.5, 0.01]), shared([0.54, 0.01], [0.46, 0.01])])).toBeNull();
    expect(stateEvenShares([shared([0.5, 0.03], [0.5, 0.03])])).toBeNull();
    expect(stateEvenShares([shared([0.5, null], [0.5, null])])).toBeNull();
    expect(stateEvenShares([shared([1, 0])])).toBeNull();
  });
});

describe('the order of the start becomes a sentence', () => {
  const ordered = (...places: (ReturnType<typeof estimate> | null)[]) => ({ byStartOrder: places }) as ScenarioUsers;

  test('where each interval includes 1 and is narrow', () => {
    expect(stateNoStartOrder([ordered(estimate(1.01, 0.02), estimate(0.99, 0.02))])).toContain('no difference');
  });

  test('and not where one leaves 1 out, is wide, or is not known', () => {
    expect(stateNoStartOrder([ordered(estimate(0.97, 0.01), estimate(1.03, 0.01))])).toBeNull();
    expect(stateNoStartOrder([ordered(estimate(1, 0.06), estimate(1, 0.06))])).toBeNull();
    expect(stateNoStartOrder([ordered(estimate(1, 0.01), null)])).toBeNull();
    expect(stateNoStartOrder([{ byStartOrder: null } as ScenarioUsers])).toBeNull();
  });

  test('which names an effect only where it is shown, by its Scenarios', () => {
    const state = (...adjustedPs: (number | null)[]) =>
      stateStartOrder(
        {
          kind: 'measured',
          scenarios: adjustedPs.map((adjustedP, index) => ({
            ...ordered(estimate(0.9, 0.2), estimate(1.1, 0.2)),
            scenario: `s${index}`,
            firstToStart: { ratio: 0.1, adjustedP } as ScenarioUsers['firstToStart'],
          })),
        },
        0.95,
      );
    expect(state(0.2, null)).toBe('no effect of who starts first is shown.');
    expect(state(0.2, 0.01, 0.03)).toBe('who starts first differs from the others under s1 and s2.');
  });
});

describe('a figure of the wire becomes a sentence', () => {
  const wire = (mean: number, halfWidth: number) =>
    ({ figures: { packets: estimate(mean, halfWidth) } }) as unknown as ScenarioWire;

  test('where all Scenarios have the same', () => {
    expect(stateSameWire([wire(1000, 2), wire(1004, 2)], 'packets')).toContain('the same in every Scenario');
    expect(stateSameWire([wire(0, 0), wire(0, 0)], 'packets')).toBe('Packets: none in any Scenario.');
  });

  test('and not where one differs, or is one alone', () => {
    expect(stateSameWire([wire(1000, 2), wire(1040, 2)], 'packets')).toBeNull();
    expect(stateSameWire([wire(1000, 2)], 'packets')).toBeNull();
  });
});
