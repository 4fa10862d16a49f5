import { layOutTimings } from '#core/causes/request-phases.ts';
import { readHarType } from '#core/har/har-words.ts';
import type { SiteExchange, SiteHost } from '#core/site/site.ts';
import type { Waterfall, WaterfallRow } from './build-waterfall.ts';

interface RecordedVisit {
  exchanges: readonly SiteExchange[];
  hosts: readonly Pick<SiteHost, 'name' | 'address' | 'connectMs'>[];
}

/** The requests of one visit of a recording, as those of a Visit are drawn. Sizes are those of bodies. */
export function layOutRecording({ exchanges, hosts }: RecordedVisit): Waterfall {
  const hostOf = new Map(hosts.map((host) => [host.name, host]));
  const connections = new Map<number, number>();
  const inOrder = exchanges.toSorted((one, other) => one.startMs - other.startMs);
  const rows = inOrder.map((exchange): WaterfallRow => {
    const { number, url, headers, status, protocol, connection, initiatorUrl, body } = exchange;
    const host = hostOf.get(new URL(url).hostname);
    if (connection !== null && !connections.has(connection)) connections.set(connection, connections.size + 1);
    const phases = layOutExchange(exchange, host?.connectMs ?? 0);
    return {
      key: String(number),
      url,
      type: readHarType(null, headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''),
      startMs: phases[0]?.startMs ?? exchange.startMs,
      endMs: phases.at(-1)?.endMs ?? exchange.startMs,
      phases,
      viewportNeed: null,
      frameUrl: null,
      failure: null,
      status,
      protocol,
      fromCache: false,
      connection: connection === null ? null : connections.get(connection)!,
      serverAddress: host?.address ?? null,
      initiatorUrl,
      receivedBytes: body?.bytes ?? null,
      decodedBytes: null,
    };
  });
  return { rows, originEpochMs: 0, endMs: rows.reduce((last, { endMs }) => Math.max(last, endMs ?? 0), 0) };
}

/** Its connection was opened before it was sent. The first byte takes a round trip, and what the server took. */
function layOutExchange(
  { startMs, connectMs, tlsMs, thinkMs, receiveMs }: SiteExchange,
  roundTripMs: number,
): WaterfallRow['phases'] {
  const ssl = tlsMs ?? 0;
  const connect = (connectMs ?? 0) + ssl;
  const wait = roundTripMs + (thinkMs ?? 0);
  // No page begins before it is navigated to.
  const openedMs = Math.max(0, startMs - connect);
  return layOutTimings({ blocked: -1, dns: -1, connect, ssl, send: 0, wait, receive: receiveMs ?? 0 }, openedMs);
}
