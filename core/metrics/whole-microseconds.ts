import type { Exchange, NetworkRequest } from './network-request.ts';

type Phase = Exchange['phases'][keyof Exchange['phases']];

/** A time in ms, to whole microseconds. No engine measures more closely: what is below is noise of doubles, which makes Snapshots longer. */
export function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The requests with their times to whole microseconds. */
export function roundRequests(requests: readonly NetworkRequest[]): NetworkRequest[] {
  return requests.map((request) => ({
    ...request,
    startEpochMs: toMicroseconds(request.startEpochMs),
    sentEpochMs: roundKnown(request.sentEpochMs),
    responseEpochMs: roundKnown(request.responseEpochMs),
    endEpochMs: roundKnown(request.endEpochMs),
    ...(request.exchange && { exchange: roundExchange(request.exchange) }),
  }));
}

function roundExchange(exchange: Exchange): Exchange {
  const { dns, connect, tls, send } = exchange.phases;
  const phases = { dns: roundPhase(dns), connect: roundPhase(connect), tls: roundPhase(tls), send: roundPhase(send) };
  return { ...exchange, phases };
}

function roundPhase(phase: Phase): Phase {
  return phase && [toMicroseconds(phase[0]), toMicroseconds(phase[1])];
}

function roundKnown(ms: number | null): number | null {
  return ms === null ? null : toMicroseconds(ms);
}
