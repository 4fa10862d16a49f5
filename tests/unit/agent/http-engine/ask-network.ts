import type { z } from 'zod';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { ResponseHead } from '#agent/engines/http/network/connection.ts';
import { HttpNetwork } from '#agent/engines/http/network/http-network.ts';
import type { NetworkError } from '#agent/engines/http/network/network-error.ts';
import type { RequestListener } from '#agent/engines/http/network/pending-request.ts';

/** What came of one request. */
export interface Outcome {
  head: ResponseHead | null;
  body: string;
  /** As on the connection; null before anything of an answer. */
  receivedBytes: number | null;
  connectionId: string | null;
  failure: NetworkError | null;
}

/** The network of a client that speaks HTTP/1. */
export function openNetwork(browser: z.input<typeof BrowserSettingsSchema> = {}): HttpNetwork {
  return new HttpNetwork(BrowserSettingsSchema.parse({ protocols: ['http/1.1'], ...browser }), epochClock);
}

/** Resolves when the answer is whole, or failed. Never rejects. */
export async function ask(
  network: HttpNetwork,
  url: string,
  listener: Partial<RequestListener> = {},
): Promise<Outcome> {
  const outcome: Outcome = { head: null, body: '', receivedBytes: null, connectionId: null, failure: null };
  await network
    .request(new URL(url), {
      urgency: 0,
      headers: {},
      takesPush: false,
      listener: {
        onSent: ({ connection }) => (outcome.connectionId = connection.id),
        onPromised: () => undefined,
        onReceived: (bytes) => (outcome.receivedBytes = bytes),
        onHead: (head) => {
          outcome.head = head;
          listener.onHead?.(head);
        },
        onData: (chunk, epochMs) => {
          outcome.body += chunk.toString('latin1');
          listener.onData?.(chunk, epochMs);
        },
      },
    })
    .catch((error: unknown) => (outcome.failure = error as NetworkError));
  return outcome;
}
