import { describe, expect, test } from 'vitest';
import { listHttpep } from '#cli/comparison/format-comparison.ts';
import { compareHttpep, HttpepComparisonSchema } from '#core/comparison/network/compare-httpep.ts';
import { describeHttpepTraffic, type HttpepTraffic } from '#core/record/httpep-traffic.ts';
import { printCounters } from '../../../../support/print-counters.ts';

const round = (scenario: string, block: number, change: Parameters<typeof printCounters>[0] = {}): HttpepTraffic => ({
  block,
  scenario,
  counted: describeHttpepTraffic(printCounters(change)),
});

describe('what the ends of HTTPEP printed', () => {
  test('is summed over users and connections; notes and pages are passed over', () => {
    expect(round('HTTPEP', 1).counted).toEqual({
      kind: 'counted',
      counts: {
        requests: 33,
        bytesBefore: 500_000,
        bytesAfter: 300_000,
        tunnelBytes: 320_000,
        pushed: 30,
        used: 24,
        unused: 6,
        answers: 31,
        waitMs: 6200,
        retransmissions: 3,
      },
    });
  });

  test('does not count segments that were sent again where one kernel does not report them', () => {
    expect(describeHttpepTraffic(printCounters({ retransmissions: null }))).toMatchObject({
      counts: { retransmissions: null },
    });
  });

  test('leaves a Round out where an end has no counters, also those of a command that prints others', () => {
    const [ground, remote] = printCounters();
    expect(describeHttpepTraffic([])).toMatchObject({ kind: 'absent' });
    expect(describeHttpepTraffic([remote!])).toMatchObject({ reason: expect.stringContaining('ground end') as string });
    expect(describeHttpepTraffic([ground!])).toMatchObject({ reason: expect.stringContaining('remote end') as string });
    expect(describeHttpepTraffic([ground!, { ...remote!, script: './mine' }])).toMatchObject({ kind: 'absent' });
    const negative = '{"end":"remote","kind":"user","requests":-5}\n{"end":"remote"\n{}\n';
    expect(describeHttpepTraffic([ground!, { ...remote!, output: negative }])).toMatchObject({ kind: 'absent' });
  });
});

describe('between Scenarios', () => {
  const design = { scenarios: ['plain', 'packed'], baseline: 'plain', confidence: 0.95 };
  const rounds = [
    round('plain', 1),
    round('plain', 2, { waitMs: 9300 }),
    round('packed', 1, { tunnelBytes: 150_000, promised: 0, used: 0 }),
    round('packed', 2, { tunnelBytes: 150_000, promised: 0, used: 0 }),
    { block: 3, scenario: 'packed', counted: { kind: 'absent', reason: 'Gone.' } } as const,
  ];

  test('each has its means per Round, against the baseline by pairs of Blocks', () => {
    const compared = compareHttpep(rounds, design);
    expect(HttpepComparisonSchema.parse(compared)).toEqual(compared);
    const [plain, packed] = compared.scenarios;
    expect(plain).toMatchObject({
      roundsCounted: 2,
      figures: {
        usedShare: { estimate: { rounds: 2, mean: 0.8 }, contrast: null },
        waitMs: { estimate: { mean: 250 } },
      },
    });
    expect(packed).toMatchObject({
      roundsCounted: 2,
      roundsLeftOut: 1,
      leftOutReason: 'Gone.',
      figures: {
        bytesAfter: { estimate: { mean: 150_000 }, contrast: { blocks: 2, ratio: { value: 0.5 } } },
        usedShare: { kind: 'absent', reason: 'Nothing was pushed.' },
      },
    });
  });

  test('a Scenario that is not comparable has its means, and no change', () => {
    const notComparable = new Set(['packed']);
    const { scenarios } = compareHttpep(rounds, { ...design, notComparable });
    expect(scenarios[1]).toMatchObject({ figures: { bytesAfter: { estimate: { mean: 150_000 }, contrast: null } } });
  });

  test('a baseline without HTTPEP gives no contrast', () => {
    const { scenarios } = compareHttpep(rounds, { ...design, scenarios: ['packed'], baseline: 'direct' });
    expect(scenarios).toMatchObject([{ figures: { requests: { contrast: null } } }]);
  });

  test('the table of the terminal has a row for each', () => {
    const [head, plain, packed] = listHttpep(compareHttpep(rounds, design), design);
    expect(head!.slice(-3)).toEqual(['Waiting time, ms', 'Sent again', 'Rounds']);
    expect(plain!.slice(0, 3)).toEqual(['plain (baseline)', '33.0 ± 0.0', '500000 ± 0']);
    expect(plain!.slice(-3)).toEqual([expect.stringMatching(/^250 ± /), '3.0 ± 0.0', '2']);
    expect(packed!.at(-4)).toBe('—');
  });
});
