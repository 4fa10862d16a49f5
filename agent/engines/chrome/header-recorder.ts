import type { CDPSession, Protocol } from 'puppeteer-core';
import { redactHeaders } from '#core/har/redact-headers.ts';
import type { Header } from '#core/metrics/snapshot.ts';
import type { RequestRecord } from './request-record.ts';

type Headers = Protocol.Network.Headers;

/**
 * Records headers as they went over the network. The browser reports them apart from the requests, before or after these, and only of hops that came to the network: those of one request in order. Of the others it reports what it would have sent and was answered from its cache.
 */
export class HeaderRecorder {
  readonly #sent = new Map<string, Headers[]>();
  readonly #received = new Map<string, Headers[]>();

  observe(session: CDPSession): void {
    session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) =>
      append(this.#sent, requestId, headers),
    );
    session.on('Network.responseReceivedExtraInfo', ({ requestId, headers }) =>
      append(this.#received, requestId, headers),
    );
  }

  /** Writes what is known by now into the records of one request's hops. */
  complete(requestId: string, hops: readonly RequestRecord[]): void {
    const sent = [...(this.#sent.get(requestId) ?? [])];
    const received = [...(this.#received.get(requestId) ?? [])];
    hops.forEach(({ request, headers, cameToNetwork }, index) => {
      // Of the last hop it may not be known yet, or never, where it failed.
      const isOnNetwork = cameToNetwork ?? index === hops.length - 1;
      const own = {
        sent: isOnNetwork ? sent.shift() : undefined,
        received: isOnNetwork ? received.shift() : undefined,
      };
      request.exchange!.headers = {
        request: redactHeaders(list(own.sent ?? headers.request)),
        response: redactHeaders(list(own.received ?? headers.response)),
      };
    });
  }
}

function append(lists: Map<string, Headers[]>, requestId: string, headers: Headers): void {
  lists.set(requestId, [...(lists.get(requestId) ?? []), headers]);
}

/** The browser joins headers of one name by a line break. */
function list(headers: Headers): Header[] {
  return Object.entries(headers).flatMap(([name, values]) => values.split('\n').map((value) => ({ name, value })));
}
