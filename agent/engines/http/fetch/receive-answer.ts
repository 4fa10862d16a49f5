import type { IncomingHttpHeaders } from 'node:http';
import { readServerTiming } from '#core/metrics/server-timing.ts';
import { typeOfStream } from '#core/metrics/settle-rule.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { HttpNetwork } from '../network/http-network.ts';
import { asNetworkError, NetworkError } from '../network/network-error.ts';
import type { ResponseHead } from '../network/connection.ts';
import { decodeBody } from './decode-body.ts';
import { beginExchange, noteHead, noteSent } from './describe-exchange.ts';
import { isRedirect, type Hop, type PageRequest, type Answer } from './hop.ts';
import { maximumBodyBytes } from './response-cache.ts';

/** What is done with the answer that the redirects lead to. */
export interface Receiver {
  /** Throws a NetworkError to have it broken off. */
  onHead?(answer: { url: URL; status: number; headers: IncomingHttpHeaders }): void;
  /** With each part of the decoded body; throws a NetworkError to have the rest broken off. */
  onBody?(chunk: Buffer): void;
}

export interface Reception {
  network: HttpNetwork;
  asked: PageRequest;
  url: URL;
  headers: Record<string, string>;
  receiver: Receiver;
  /** Whether the headers of requests are recorded, for HARs. */
  recordsHeaders: boolean;
  /** Whether the body may be stored. */
  keepsBody: boolean;
  onCookies: (cookies: string[]) => void;
}

/** What of an answer has come so far. */
interface Reply {
  answer: Answer | null;
  delivery: Delivery | null;
  refusal: NetworkError | null;
  /** Of the body, as it came. */
  kept: Buffer[];
  /** When the last part came, of head or body; null before any. */
  lastByteEpochMs: number | null;
  abort: ResponseHead['abort'];
}

/** From the network; the body is kept only where it may be stored. */
export async function receiveAnswer(
  hop: Hop,
  { network, asked, url, headers, receiver, recordsHeaders, keepsBody, onCookies }: Reception,
): Promise<{ answer: Answer; body: Buffer | null }> {
  const { request } = hop;
  request.exchange = beginExchange(recordsHeaders ? headers : null);
  const reply = {
    answer: null,
    delivery: null,
    refusal: null,
    kept: [],
    abort: () => undefined,
    lastByteEpochMs: null,
  } as Reply;
  /** A receiver that wants no more breaks the answer off, and its reason is the failure. */
  const guard = (step: () => void) => {
    if (reply.refusal) return;
    try {
      step();
    } catch (error) {
      reply.refusal = asNetworkError(error);
      reply.abort(reply.refusal);
    }
  };
  const redirected = Promise.withResolvers<void>();
  const received = network.request(url, {
    urgency: asked.urgency,
    headers,
    // A document begins when it is asked for.
    takesPush: asked.type !== 'document',
    listener: {
      onSent: ({ epochMs, connection, isReused }) => {
        request.sentEpochMs = epochMs;
        request.connectionId = connection.id;
        request.protocol = connection.version;
        hop.connectionTimes = isReused ? null : connection.times;
        noteSent(request.exchange!, { connection, isReused });
      },
      onPromised: ({ epochMs, connection }) => {
        request.startEpochMs = epochMs;
        request.isPushed = true;
        request.connectionId = connection.id;
        request.protocol = connection.version;
        noteSent(request.exchange!, { connection, isReused: true });
      },
      onHead: (head) => {
        const answer = { status: head.status, headers: head.headers };
        reply.answer = answer;
        reply.abort = head.abort;
        request.status = head.status;
        request.responseEpochMs = head.epochMs;
        const serverMs = readServerTiming(head.headers['server-timing']);
        if (serverMs !== null) request.serverMs = serverMs;
        reply.lastByteEpochMs = head.epochMs;
        noteHead(request.exchange!, head);
        guard(() => {
          onCookies([head.headers['set-cookie'] ?? []].flat());
          breakOffStream(request, head.headers);
          reply.delivery = beginDelivery(hop, { answer, url, receiver, guard });
        });
        if (isRedirect(answer)) redirected.resolve();
      },
      onReceived: (bytes) => {
        request.receivedBytes = bytes;
        // What frames the parts of a body counts as head.
        request.receivedBodyBytes = Math.min(hop.encodedBytes, bytes);
      },
      onData: (chunk, epochMs) => {
        reply.lastByteEpochMs = epochMs;
        hop.encodedBytes += chunk.length;
        if (keepsBody && hop.encodedBytes <= maximumBodyBytes) reply.kept.push(chunk);
        reply.delivery?.write(chunk);
      },
    },
  });
  // A redirect is followed at once, as by browsers: its body, if it has one, comes meanwhile.
  received.catch(() => undefined);
  await Promise.race([received, redirected.promise]);
  // Not the time now: what the last part named was asked for first.
  request.endEpochMs = reply.lastByteEpochMs;
  await reply.delivery?.end();
  // It may have come with what was decoded last.
  if (reply.refusal) throw reply.refusal;
  return {
    answer: reply.answer!,
    body: keepsBody && hop.encodedBytes <= maximumBodyBytes ? Buffer.concat(reply.kept) : null,
  };
}

interface Delivery {
  write(chunk: Buffer): void;
  end(): Promise<void>;
}

/** What has no end is broken off, and is no object of the page. Throws a NetworkError. */
function breakOffStream(request: NetworkRequest, headers: IncomingHttpHeaders): void {
  const type = typeOfStream(request.type, headers['content-type'] ?? '');
  if (type === null) return;
  request.type = type;
  throw new NetworkError('aborted', 'The answer is a stream without an end');
}

/** Hands an answer to its receiver; null for one that only redirects. */
export function beginDelivery(
  hop: Hop,
  { answer, url, receiver, guard }: { answer: Answer; url: URL; receiver: Receiver; guard: (step: () => void) => void },
): Delivery | null {
  if (isRedirect(answer) || answer.status === 304) return null;
  receiver.onHead?.({ url, ...answer });
  hop.request.decodedBytes = 0;
  return decodeBody(answer.headers['content-encoding'], (chunk) => {
    hop.request.decodedBytes! += chunk.length;
    guard(() => receiver.onBody?.(chunk));
  });
}
