import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { makeRequest, startEpochMs } from '../../metrics/support/snapshot-parts.ts';

const at = (ms: number) => startEpochMs + ms;

/** A request with its phases in ms from navigation start. */
export function timed(
  url: string,
  {
    start,
    connect = null,
    tls = null,
    sent,
    answer,
    end,
    ...rest
  }: {
    start: number;
    connect?: [number, number] | null;
    tls?: [number, number] | null;
    sent: number;
    answer: number;
    end: number;
  } & Partial<NetworkRequest>,
): NetworkRequest {
  const phase = (of: [number, number] | null) => of && ([at(of[0]), at(of[1])] as [number, number]);
  return makeRequest({
    url,
    startMs: start,
    endMs: end,
    sentEpochMs: at(sent),
    responseEpochMs: at(answer),
    exchange: {
      method: 'GET',
      statusText: null,
      mimeType: null,
      serverAddress: null,
      phases: { dns: null, connect: phase(connect), tls: phase(tls), send: null },
      headers: null,
    },
    ...rest,
  });
}
