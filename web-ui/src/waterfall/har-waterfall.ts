import { layOutTimings, type RequestPhase } from '#core/causes/request-phases.ts';
import type { HarLoad, HarRequest } from '#core/har/read-har.ts';
import type { Waterfall, WaterfallRow } from './build-waterfall.ts';

/** The requests of a page of a HAR, as those of a Visit are drawn. */
export function layOutHar({ requests, startEpochMs }: HarLoad): Waterfall {
  const connections = new Map<string, number>();
  const rows = requests.map((request, index): WaterfallRow => {
    const { url, type, failure, status, protocol, fromCache, serverAddress, initiatorUrl, connectionId, timeMs } =
      request;
    const { receivedBytes, decodedBytes } = request;
    if (connectionId !== null && !connections.has(connectionId)) connections.set(connectionId, connections.size + 1);
    const startMs = request.startEpochMs - startEpochMs;
    const phases = layOut(request, startMs);
    const lastMs = phases.at(-1)?.endMs ?? startMs;
    return {
      key: String(index),
      url,
      type,
      failure,
      status,
      protocol,
      fromCache,
      serverAddress,
      initiatorUrl,
      receivedBytes,
      decodedBytes,
      startMs,
      endMs: timeMs === null ? lastMs : startMs + timeMs,
      phases,
      viewportNeed: null,
      frameUrl: null,
      connection: connectionId === null ? null : connections.get(connectionId)!,
    };
  });
  const endMs = rows.reduce((last, row) => Math.max(last, row.endMs ?? 0, row.phases.at(-1)?.endMs ?? 0), 0);
  return { rows, originEpochMs: startEpochMs, endMs };
}

function layOut({ timings, timeMs }: HarRequest, startMs: number): RequestPhase[] {
  const phases = layOutTimings(timings, startMs);
  if (phases.length > 0 || !timeMs) return phases;
  return [{ kind: 'undivided', startMs, endMs: startMs + timeMs }];
}
