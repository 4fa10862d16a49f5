import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deriveReadings, type MetricId } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { holdHandshakes, type HeldOrigin } from './support/hold-handshakes.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

const holdMs = 1000;

let origin: Origin;
let held: HeldOrigin;

beforeAll(async () => {
  origin = await startOrigin();
  held = await holdHandshakes(origin.http2Url, holdMs);
});

afterAll(async () => {
  await held[Symbol.asyncDispose]();
  await origin.close();
});

function read(snapshot: Snapshot, metric: MetricId): number | string {
  const reading = deriveReadings(snapshot).find((each) => each.metric === metric)!;
  return reading.kind === 'measured' ? reading.value : reading.reason;
}

function sumPhases(snapshot: Snapshot): number {
  const values = (['blockedMs', 'dnsMs', 'connectMs', 'requestMs', 'responseMs'] as const).map((metric) =>
    read(snapshot, metric),
  );
  return values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);
}

describe.each(conformanceEngines)('the engine $name', ({ name, open }) => {
  test('has no connection of 0 ms in a cold Visit, has a slow handshake in its phases, and these add up to the base page latency', async (context) => {
    await using session = await open({ browser: { trustedKeys: [origin.trustedKey] } });
    await judgeTime(context, {
      measure: async () => {
        const slow = await takeSnapshot(session, `${held.url}/images/1?visit=${name}-held`);
        expect(sumPhases(slow)).toBeCloseTo(valueOf(slow, 'baseMs'), 6);
        return slow;
      },
      holds: (slow) => {
        for (const metric of ['connectMs', 'tlsMs'] as const)
          expect(read(slow, metric), metric).toBeGreaterThan(holdMs / 2);
      },
      limits: roomyLimits,
    });

    for (const url of [origin.httpUrl, origin.httpsUrl, origin.http2Url]) {
      const snapshot = await takeSnapshot(session, `${url}/images/1?visit=${name}`);
      expect(read(snapshot, 'connectMs'), url).not.toBe(0);
      expect(read(snapshot, 'tlsMs'), url).not.toBe(0);
      expect(sumPhases(snapshot)).toBeCloseTo(valueOf(snapshot, 'baseMs'), 6);
    }
  });

  test('says of HTML that comes in pieces how long it took, and of a redirected page no start of a request that it does not know', async (context) => {
    await using session = await open({});
    let attempts = 0;
    await judgeTime(context, {
      measure: async () => {
        const visit = `${name}-pieces-${attempts++}`;
        const query = `chunks=4&chunkGapMs=400&visit=${visit}`;
        const snapshot = await takeSnapshot(session, `${origin.httpUrl}/redirect/1/to/chunked?${query}`);
        const [first, last] = origin.truth.requests(visit);
        expect(valueOf(snapshot, 'firstByteMs') + valueOf(snapshot, 'responseMs')).toBeCloseTo(
          valueOf(snapshot, 'baseMs'),
          6,
        );
        const requestStartMs = read(snapshot, 'requestStartMs');
        expect(requestStartMs).toBe(name.startsWith('extension') ? 'unsupported' : requestStartMs);
        expect(first!.path).toContain('redirect');
        return {
          responseMs: valueOf(snapshot, 'responseMs'),
          sentForMs: last!.endedEpochMs! - last!.firstByteEpochMs!,
        };
      },
      // A browser that does not get the CPU reads the first piece late.
      holds: ({ responseMs, sentForMs }) => expect(responseMs).toBeGreaterThan(0.5 * sentForMs),
      limits: roomyLimits,
    });
  });
});
