import type { IncomingHttpHeaders } from 'node:http';
import { decodeBody } from './decode-body.ts';
import { isRedirect, type Answer } from './find-redirect.ts';
import type { Hop } from './hop.ts';

/** What is done with the answer that the redirects lead to. */
export interface Receiver {
  /** Throws a NetworkError to have it broken off. */
  onHead?(answer: { url: URL; status: number; headers: IncomingHttpHeaders }): void;
  /** With each part of the decoded body; throws a NetworkError to have the rest broken off. */
  onBody?(chunk: Buffer): void;
}

export interface Delivery {
  write(chunk: Buffer): void;
  end(): Promise<void>;
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
