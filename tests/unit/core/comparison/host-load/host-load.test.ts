import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { describe, expect, it } from 'vitest';
import { loadMeasureIds } from '#core/comparison/host-load/load-measure.ts';
import type { HostLoad, LoadFigure } from '#core/protocol/host-load.ts';
import { compareHostLoads } from '#core/comparison/host-load/compare-host-loads.ts';
import type { PassLoad } from '#core/record/run-record.ts';
import type { HostLoadComparison } from '#core/comparison/host-load/host-load-comparison.ts';
import { listBusyScenarios, stateHostLoad } from '#core/comparison/host-load/state-host-load.ts';
import { tTest } from '#core/statistics/mean-interval.ts';

const design = { scenarios: ['direct', 'proxy'], baseline: 'direct' };
const value = (ratio: number): LoadFigure => ({ kind: 'measured', value: ratio });
const clip = (ratio: number) => Math.min(1, Math.max(0, ratio));

function makeLoad({
  busy = 0.3,
  steal = 0,
  cpuPressure = 0.05,
  load = 1,
}: {
  busy?: number;
  steal?: number;
  cpuPressure?: number;
  load?: number;
}): HostLoad {
  const none = value(0);
  return {
    kind: 'measured',
    durationMs: 5000,
    cpuCount: 4,
    figures: {
      busyRatio: value(busy),
      stealRatio: value(steal),
      cpuPressureRatio: value(cpuPressure),
      memoryPressureRatio: none,
      ioPressureRatio: none,
      loadAverage: value(load),
      memoryAvailableBytes: none,
    },
  };
}

/** A Run of so many Blocks on one host. */
function runOf(
  blocks: number,
  loadOf: (round: { block: number; scenario: string }) => Parameters<typeof makeLoad>[0],
  host = 'laptop',
): PassLoad[] {
  return Array.from({ length: blocks }, (_, index) => index + 1).flatMap((block) =>
    design.scenarios.map((scenario) => ({ block, scenario, host, load: makeLoad(loadOf({ block, scenario })) })),
  );
}

const compare = (passes: PassLoad[]) => compareHostLoads(passes, design);
const remarksOf = (passes: PassLoad[]) => stateHostLoad(compare(passes)).map(({ text }) => text);
const isRaised = (comparison: HostLoadComparison) => stateHostLoad(comparison).length > 0;

describe('the load of the hosts', () => {
  it('is remarked on where a load began in the middle of the Run, with the Rounds that it was in', () => {
    const passes = runOf(10, ({ block }) =>
      block >= 4 && block <= 6 ? { busy: 0.99, cpuPressure: 0.97 } : { busy: 0.3 + block / 1000 },
    );
    expect(remarksOf(passes)).toEqual([
      'Flag “busy host”: laptop was busier in 6 of 20 Rounds (Blocks 4 to 6): 97 % of the time programs waited for the processor, otherwise 5.0 %. Run again when nothing else uses the host.',
    ]);
  });

  it('is remarked on where a Scenario has it throughout, though no Round stands apart in it', () => {
    const passes = runOf(8, ({ block, scenario }) => ({
      busy: (scenario === 'proxy' ? 0.55 : 0.3) + (block % 3) / 100,
    }));
    expect(remarksOf(passes)).toEqual([
      'Flag “busy host” (proxy): the hosts were busier than under the baseline: 56 % of the processor was taken, not 31 % (8 Blocks). Run again when nothing else uses them, unless the Scenario itself causes this.',
    ]);
    expect(compare(passes)).toMatchObject({
      busyRounds: [],
      differences: [{ scenario: 'proxy', measure: 'cpu', blocks: 8 }],
    });
  });

  it('that differs between Scenarios is judged for all measures together, by Holm', () => {
    const differences = [0.22, 0.27, 0.25, 0.28, 0.21, 0.26];
    const passes = runOf(6, ({ block, scenario }) => ({
      busy: 0.3 + block / 100 + (scenario === 'proxy' ? differences[block - 1]! : 0),
    }));
    const compared = compare(passes);
    const [found, ...others] = compared.kind === 'measured' ? compared.differences : [];
    expect(others).toEqual([]);
    expect(found).toMatchObject({ scenario: 'proxy', measure: 'cpu', blocks: 6 });
    expect(found!.mean - found!.baselineMean).toBeCloseTo(1.49 / 6, 12);
    // Of the other measures, no Round differs.
    expect(found!.adjustedP / tTest(differences)!).toBeCloseTo(loadMeasureIds.length, 6);
  });

  it('counts what a hypervisor took', () => {
    const passes = runOf(6, ({ block }) => ({ steal: block > 3 ? 0.2 : 0.01 }));
    expect(compare(passes)).toMatchObject({
      busyRounds: [
        { measure: 'steal', blocks: [4, 5, 6] },
        { measure: 'steal', blocks: [4, 5, 6] },
      ],
    });
  });

  it('is remarked on where the processor was all taken before', () => {
    const passes = runOf(6, ({ block }) => ({ busy: 1, cpuPressure: 1, load: block > 3 ? 31 : 6 }));
    expect(remarksOf(passes)).toEqual([
      expect.stringContaining('100 % of the processor was taken'),
      expect.stringContaining(
        'in 6 of 12 Rounds (Blocks 4 to 6): 7.8 programs ran or waited for each CPU (load average), otherwise 1.5.',
      ),
    ]);
  });

  it('is remarked on where a host was busy in all Rounds alike, and flags every Scenario', () => {
    const passes = [
      ...runOf(6, () => ({}), 'calm'),
      ...runOf(6, () => ({ busy: 0.99, cpuPressure: 0.96, load: 4 }), 'busy'),
    ];
    expect(compare(passes)).toMatchObject({ busyRounds: [], differences: [] });
    expect(remarksOf(passes)).toEqual([
      'Flag “busy host”: busy was busy in most of its 12 Rounds (medians: 99 % of the processor was taken, 96 % of the time programs waited for the processor). Its latencies include time that the host itself took. Run again when nothing else uses the host.',
    ]);
    expect(listBusyScenarios(compare(passes), design.scenarios)).toEqual(new Set(design.scenarios));
    expect(listBusyScenarios(compare(runOf(6, () => ({}))), design.scenarios)).toEqual(new Set());
  });

  it('is found on the one host that had it', () => {
    const passes = [
      ...runOf(6, () => ({}), 'calm'),
      ...runOf(6, ({ block }) => (block === 5 ? { busy: 0.95 } : {}), 'busy'),
    ];
    expect(compare(passes)).toMatchObject({
      busyRounds: [
        { host: 'busy', scenario: 'direct', blocks: [5] },
        { host: 'busy', scenario: 'proxy', blocks: [5] },
      ],
      differences: [],
    });
  });

  it('is absent with its reason where no host shows it', () => {
    expect(
      compare([
        {
          block: 1,
          scenario: 'direct',
          host: 'phone',
          load: { kind: 'absent', reason: 'A browser extension cannot see how busy its host is' },
        },
      ]),
    ).toEqual({ kind: 'absent', reason: 'A browser extension cannot see how busy its host is' });
    expect(compare([{ block: 1, scenario: 'direct', host: 'old', load: null }])).toEqual({
      kind: 'absent',
      reason: 'Its Agent did not report it',
    });
    expect(
      compare([...runOf(3, () => ({})), { block: 1, scenario: 'direct', host: 'phone', load: null }]),
    ).toMatchObject({ unknown: [{ host: 'phone', reason: 'Its Agent did not report it' }] });
    expect(compare([])).toMatchObject({ kind: 'absent' });
  });
});

describe('of 1,000 simulated Runs each', () => {
  const runs = 1000;
  /** In how many it is remarked on, in percent. */
  const raisedIn = ({
    blocks,
    deviation,
    plantedBlocks = 0,
    hosts = 1,
    calm = 0.3,
  }: {
    blocks: number;
    deviation: number;
    plantedBlocks?: number;
    hosts?: number;
    calm?: number;
  }) => {
    const generator = xoroshiro128plus(blocks + 1000 * deviation);
    const gauss = () =>
      Math.sqrt(-2 * Math.log(1 - uniformFloat64(generator))) * Math.cos(2 * Math.PI * uniformFloat64(generator));
    let raised = 0;
    for (let run = 0; run < runs; run++) {
      const passes = Array.from({ length: hosts }, (_, host) =>
        runOf(
          blocks,
          ({ block }) => {
            const [busy, cpuPressure] = block <= plantedBlocks ? [0.95, 0.9] : [calm, 0.15];
            return {
              busy: clip(busy + deviation * gauss()),
              cpuPressure: clip(cpuPressure + deviation * gauss()),
              load: Math.max(0, 4 * (0.5 + 2 * deviation * gauss())),
            };
          },
          `host ${host}`,
        ),
      ).flat();
      raised += Number(isRaised(compare(passes)));
    }
    return (100 * raised) / runs;
  };

  // docs/statistics.md states these figures.
  it.each([
    [5, 0.05, 1, 0.5],
    [10, 0.05, 1, 0.5],
    [30, 0.05, 1, 0.5],
    [10, 0.05, 5, 0.5],
    [5, 0.1, 1, 9],
    [10, 0.1, 1, 4],
    [30, 0.1, 1, 2],
  ])(
    'calm ones of %i Blocks in which a host varies by %f from Round to Round, on %i hosts, are remarked on in at most %f %',
    (blocks, deviation, hosts, atMost) => {
      expect(raisedIn({ blocks, deviation, hosts })).toBeLessThanOrEqual(atMost);
    },
  );

  it.each([
    [5, 1],
    [10, 1],
    [10, 5],
    [30, 1],
    [30, 15],
  ])('those of %i Blocks with a load in %i are remarked on in at least 99 %', (blocks, plantedBlocks) => {
    expect(raisedIn({ blocks, deviation: 0.07, plantedBlocks })).toBeGreaterThanOrEqual(99);
  });
});
