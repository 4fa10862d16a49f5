import { describe, expect, it } from 'vitest';
import { comparePoints, type PointFigure } from '#core/comparison/network/compare-points.ts';
import { describePointTraffic, type PointTraffic } from '#core/record/point-traffic.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';

interface Seen {
  packets?: number;
  httpRequests?: number | null;
  hasEncryption?: boolean;
  hasDrops?: boolean;
}

function round(scenario: string, block: number, seen: Seen = {}): PointTraffic {
  const { packets = 10, httpRequests = 1, hasEncryption = false, hasDrops = false } = seen;
  const tcp = { connections: packets / 10, retransmissions: 0, httpRequests };
  return {
    block,
    scenario,
    point: 'ground',
    captured: { kind: 'counted', counts: { packets, bytes: 100 * packets, tcp, hasEncryption, hasDrops } },
  };
}

const lost = (scenario: string, block: number): PointTraffic => ({
  block,
  scenario,
  point: 'ground',
  captured: { kind: 'absent', reason: 'No interface of that name' },
});

const design = { points: ['ground'], scenarios: ['direct', 'proxy'], baseline: 'direct', confidence: 0.95 };

function compare(rounds: PointTraffic[], change: Partial<Parameters<typeof comparePoints>[1]> = {}) {
  const [point] = comparePoints(rounds, { ...design, ...change });
  const of = (scenario: string) => point!.scenarios.find((each) => each.scenario === scenario)!;
  const figure = (scenario: string, id: PointFigure) => of(scenario).figures[id];
  const reason = (scenario: string, id: PointFigure) => {
    const value = figure(scenario, id);
    return value.kind === 'absent' ? value.reason : null;
  };
  return { of, figure, reason };
}

describe('what crosses a Capture Point', () => {
  it('has its mean and no change in a Scenario that is not comparable', () => {
    const rounds = [round('direct', 1, { packets: 100 }), round('proxy', 1, { packets: 52 })];
    const { figure } = compare(rounds, { notComparable: new Set(['proxy']) });
    expect(figure('proxy', 'packets')).toMatchObject({ estimate: { mean: 52 }, contrast: null });
  });

  it('has the mean per Round, and the difference and the ratio over pairs of Blocks', () => {
    const { figure, of } = compare([
      round('direct', 1, { packets: 100 }),
      round('proxy', 1, { packets: 52 }),
      round('direct', 2, { packets: 110 }),
      round('proxy', 2, { packets: 50 }),
      round('direct', 3, { packets: 120, hasDrops: true }),
      round('proxy', 3, { packets: 63 }),
      lost('direct', 4),
      round('proxy', 4, { packets: 90 }),
    ]);
    expect(figure('direct', 'packets')).toMatchObject({
      // qt(0.975, 2) * 10 / sqrt(3)
      estimate: { rounds: 3, mean: 110, halfWidth: expect.closeTo(24.841377, 5) as number },
      contrast: null,
    });
    expect(figure('proxy', 'packets')).toMatchObject({ estimate: { rounds: 4, mean: 63.75 } });
    // Block 4 has no pair. The differences are −48, −60, −57: mean −55, sd 6.244998; qt(0.975, 2) * sd / sqrt(3) = 15.513435
    expect(figure('proxy', 'packets')).toMatchObject({
      contrast: {
        blocks: 3,
        difference: {
          value: -55,
          low: expect.closeTo(-70.513435, 5) as number,
          high: expect.closeTo(-39.486565, 5) as number,
        },
        ratio: { value: expect.closeTo(165 / 330, 12) as number },
      },
    });
    expect(of('direct')).toMatchObject({
      roundsCounted: 3,
      roundsLeftOut: 1,
      leftOutReason: 'No interface of that name',
      roundsWithDrops: 1,
    });
  });

  it('is compared with the baseline of its own group', () => {
    const groups = [
      { name: 'slow', baseline: 'direct', scenarios: ['direct', 'proxy'] },
      { name: 'fast', baseline: 'fast direct', scenarios: ['fast direct', 'fast proxy'] },
    ];
    const { figure } = compare(
      [
        round('direct', 1, { packets: 100 }),
        round('proxy', 1, { packets: 50 }),
        round('fast direct', 1, { packets: 1000 }),
        round('fast proxy', 1, { packets: 250 }),
      ],
      { scenarios: ['direct', 'proxy', 'fast direct', 'fast proxy'], groups },
    );
    expect(figure('fast direct', 'bytes')).toMatchObject({ contrast: null });
    expect(figure('fast proxy', 'bytes')).toMatchObject({
      contrast: { blocks: 1, difference: { value: -75_000, low: null }, ratio: { value: 0.25, low: null } },
    });
  });

  it('has a ratio of 0, and to 0 no ratio but a difference', () => {
    const { figure } = compare(
      [1, 2].flatMap((block) => [
        round('direct', block, { httpRequests: 4 }),
        round('proxy', block, { httpRequests: 0 }),
      ]),
    );
    expect(figure('proxy', 'httpRequests')).toMatchObject({
      kind: 'measured',
      estimate: { mean: 0 },
      contrast: { difference: { value: -4 }, ratio: { value: 0, low: 0, high: 0 } },
    });
    expect(figure('proxy', 'retransmissions')).toMatchObject({ contrast: { difference: { value: 0 }, ratio: null } });
  });

  it('has no count of requests where all were encrypted, which would be 0', () => {
    const { reason, figure, of } = compare([
      round('direct', 1, { httpRequests: 0, hasEncryption: true }),
      round('direct', 2, { httpRequests: 0 }),
      round('proxy', 1, { httpRequests: 0, hasEncryption: true }),
      round('proxy', 2, { httpRequests: 6, hasEncryption: true }),
    ]);
    expect(reason('direct', 'httpRequests')).toMatch(/encrypted/);
    expect(figure('direct', 'packets').kind).toBe('measured');
    // With plain requests in one Round, those of the others are known, too. Nothing is left out by its value.
    expect(figure('proxy', 'httpRequests')).toMatchObject({ estimate: { rounds: 2, mean: 3 }, contrast: null });
    expect(of('proxy').roundsWithEncryption).toBe(2);
  });

  it('says why a figure is absent', () => {
    expect(compare([lost('direct', 1)]).reason('direct', 'bytes')).toBe('No interface of that name');
    expect(compare([]).reason('direct', 'bytes')).toBe('No Round of it counts.');
    expect(compare([round('direct', 1, { httpRequests: null })]).reason('direct', 'httpRequests')).toMatch(/older/);
  });
});

describe('the traffic at a Capture Point', () => {
  it('is that of its Capture', () => {
    const { statistics } = makeCaptured();
    expect(describePointTraffic(makeCaptured({ droppedByInterface: 1 }))).toEqual({
      kind: 'counted',
      counts: {
        packets: 4,
        bytes: statistics.dataBytes,
        tcp: { connections: 1, retransmissions: 0, httpRequests: 0 },
        hasEncryption: false,
        hasDrops: true,
      },
    });
  });

  it('is encrypted where a connection began with TLS, or a flow was one of QUIC', () => {
    const { statistics } = makeCaptured();
    const tls = { version: 'TLS 1.3', offeredProtocols: null, protocol: null, isCut: false };
    const ofTls = { ...statistics, connections: statistics.connections.map((each) => ({ ...each, tls })) };
    const ofQuic = { ...statistics, udp: { ...statistics.udp!, quicFlows: 1 } };
    for (const encrypted of [ofTls, ofQuic])
      expect(describePointTraffic(makeCaptured({ statistics: encrypted }))).toMatchObject({
        counts: { hasEncryption: true },
      });
  });

  it('is absent where the Capture is not whole, not readable or not there', () => {
    const reasonOf = (outcome: unknown) => {
      const captured = describePointTraffic(outcome);
      return captured.kind === 'absent' ? captured.reason : null;
    };
    expect(reasonOf({ kind: 'absent', reason: 'No root' })).toBe('No root');
    expect(reasonOf(makeCaptured({ isLimited: true }))).toMatch(/longest trace/);
    expect(reasonOf(makeCaptured({ isBrokenOff: true }))).toMatch(/before the Round/);
    expect(reasonOf(null)).toMatch(/stored/);
    expect(reasonOf({ kind: 'captured', statistics: { packets: -1 } })).toMatch(/cannot be read/);
  });
});
