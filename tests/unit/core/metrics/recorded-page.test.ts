import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { countHttpVersions } from '#controller/visits/snapshot-columns.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { readMetric } from './support/read-metric.ts';

/** The origin's page of hard cases as Chromium 156 saw it, and what the origin knew of the same Visit. */
const RecordingSchema = z.object({
  snapshot: SnapshotSchema,
  truth: z.object({
    baseMs: z.number(),
    viewportMs: z.number(),
    totalMs: z.number(),
    viewportObjects: z.array(z.string()),
    totalObjects: z.array(z.string()),
  }),
});
const { snapshot, truth } = RecordingSchema.parse(
  JSON.parse(readFileSync(new URL('recorded/hard-cases.json', import.meta.url), 'utf8')),
);

const nameObjects = (objects: readonly { url: string }[]) =>
  objects
    .map(({ url }) => new URL(url).searchParams.get('object'))
    .filter((name) => name !== null)
    .sort();

test('the recorded page of hard cases has exactly the objects that the origin counted', () => {
  expect(nameObjects(findViewportObjects(snapshot) ?? [])).toEqual(truth.viewportObjects);
  expect(nameObjects(findCountedObjects(snapshot))).toEqual(truth.totalObjects);
});

test.each(['baseMs', 'viewportMs', 'totalMs'] as const)('its %s is within 10 ms of the truth', (metric) => {
  const measuredMs = Number(readMetric(snapshot, metric)) - Number(readMetric(snapshot, 'requestStartMs'));
  expect(Math.abs(measuredMs - truth[metric])).toBeLessThan(10);
});

test('all that its origin answered came by the version of HTTP that it speaks', () => {
  expect(countHttpVersions(snapshot)).toEqual({ 'http/1.1': Number(readMetric(snapshot, 'objectCount')) });
});
