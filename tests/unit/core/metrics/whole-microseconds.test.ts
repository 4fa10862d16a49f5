import { expect, it } from 'vitest';
import { roundRequests } from '#core/metrics/whole-microseconds.ts';
import { readRecordedVisits } from './support/recorded-visits.ts';

it('moves no time of a request by more than half a microsecond, and changes nothing else', () => {
  const requests = readRecordedVisits().flatMap(({ snapshot }) => snapshot.requests);
  const rounded = roundRequests(requests);
  const times: number[] = [];
  const withoutTimes = (request: object) =>
    JSON.stringify(request, (key, value: unknown) => {
      const isTime = typeof value === 'number' && (key.endsWith('EpochMs') || value > 1e12);
      if (isTime) times.push(value);
      return isTime ? 'time' : value;
    });
  expect(rounded.map(withoutTimes)).toEqual(requests.map(withoutTimes));
  const [after, before] = [times.slice(0, times.length / 2), times.slice(times.length / 2)];
  expect(after.length).toBeGreaterThan(2 * requests.length);
  // Doubles of today's epoch are a quarter of a microsecond apart.
  for (const [index, ms] of after.entries()) expect(Math.abs(ms - before[index]!)).toBeLessThan(0.0008);
  for (const ms of after) expect(Math.round(ms * 1000) / 1000).toBe(ms);
});
