import type { Measurements } from '#cli/study/study-measurements.ts';

const absent = { kind: 'absent', reason: 'none' } as const;

/** A Run of a study over a link of 1 Mb/s with a round trip of 600 ms, without Visits or packets but for what is given. */
export function makeStudyRun(given: Partial<Measurements>): Measurements {
  return {
    runId: '1',
    conditions: {
      startedAt: '2026-11-29T10:00:00.000Z',
      httpAeVersion: '1.0.0',
      machines: ['linux 6.1, 2 CPUs'],
      browsers: ['chrome 150'],
      busyRatio: 0.25,
      cpuPressureRatio: 0.05,
    },
    confidence: 0.95,
    visits: [],
    users: absent,
    points: [],
    traffic: [],
    network: [],
    isComparable: () => true,
    linkOf: () => ({ rttMs: 600, forwardKbps: 1000, returnKbps: 1000 }),
    ...given,
  };
}
