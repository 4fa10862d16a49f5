import { packCauses } from '#core/causes/causes.ts';
import { packPath } from '#core/causes/packed-path.ts';
import { splitLatencies } from '#core/causes/split-latencies.ts';
import { findNavigationStart } from '#core/metrics/navigation-start.ts';
import type { Reading } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { formatStorableJson } from '../database/storable-json.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { readProtocol } from '#core/metrics/objects-and-bytes.ts';

/** What is stored with a Visit of its Snapshot, so that lists and reports need not read it. */
export interface SnapshotColumns {
  is_settled: boolean | null;
  is_hidden: boolean | null;
  /** JSON, as the others below. */
  readings: string;
  absences: string;
  http_versions: string | null;
  /** Bytes and an array, as PostgreSQL takes them as text. */
  causes: string | null;
  critical_path: string | null;
  /** When the first request was sent, on the clock of its Agent; null where that is not known. No column of its own. */
  first_sent_epoch_ms: number | null;
}

/** `snapshot`: null where nothing was seen. */
export function describeSnapshot(snapshot: Snapshot | null, readings: readonly Reading[]): SnapshotColumns {
  const split = snapshot && splitLatencies(snapshot);
  return {
    is_settled: snapshot?.settled ?? null,
    is_hidden: snapshot?.frames.some((frame) => frame.path.length === 0 && frame.wasEverHidden) ?? null,
    readings: formatStorableJson(
      Object.fromEntries(
        readings.flatMap((reading) => (reading.kind === 'measured' ? [[reading.metric, reading.value]] : [])),
      ),
    ),
    absences: formatStorableJson(
      Object.fromEntries(
        readings.flatMap((reading) => (reading.kind === 'absent' ? [[reading.metric, reading.reason]] : [])),
      ),
    ),
    http_versions: snapshot && formatStorableJson(countHttpVersions(snapshot)),
    causes: split && `\\x${Buffer.from(packCauses(split)).toString('hex')}`,
    critical_path: snapshot && formatArray(packPath(split!.totalMs?.path ?? [], findNavigationStart(snapshot))),
    first_sent_epoch_ms: snapshot && findFirstSent(snapshot, readings),
  };
}

/** https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function formatArray(values: readonly number[]): string {
  return `{${values.join()}}`;
}

function findFirstSent(snapshot: Snapshot, readings: readonly Reading[]): number | null {
  const start = readings.find(({ metric }) => metric === 'requestStartMs');
  return start?.kind === 'measured' ? findNavigationStart(snapshot) + start.value : null;
}

/** How many of the objects that the total latency counts came by which version of HTTP. What came by none, or by one that is not known, is not counted. */
export function countHttpVersions(snapshot: Snapshot): Record<string, number> {
  const versions = findCountedObjects(snapshot).flatMap((object) => readProtocol(object) ?? []);
  return Object.fromEntries(
    [...Map.groupBy(versions, (version) => version)].map(([version, objects]) => [version, objects.length]),
  );
}
