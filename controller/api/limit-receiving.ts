import type { Request, RequestHandler } from 'express';

/** How long the body of a request may take. */
export interface ReceivingLimits {
  /** Of any request but an upload: as a whole. */
  wholeMs: number;
  /** Of an upload, which may take as long as it flows: without a byte. */
  idleMs: number;
}

export const defaultReceivingLimits: ReceivingLimits = { wholeMs: 300_000, idleMs: 120_000 };

/** Breaks off requests whose body does not come. It replaces the limit of Node's server, which knows no uploads. */
export function limitReceiving({ wholeMs, idleMs }: ReceivingLimits): RequestHandler {
  return (request, response, next) => {
    const giveUp = () => {
      if (!request.complete) request.socket.destroy();
    };
    const limitWhole = () => {
      if (request.destroyed) return; // nothing comes any more, `close` neither
      const timer = setTimeout(giveUp, wholeMs);
      request.once('close', () => clearTimeout(timer));
    };
    if (isUpload(request)) {
      request.setTimeout(idleMs, giveUp);
      response.on('timeout', () => undefined); // all has come and is being stored: without a listener Node would hang up
      response.once('finish', limitWhole); // refused before it had come
    } else {
      limitWhole();
    }
    next();
  };
}

function isUpload({ method, path }: Request): boolean {
  return method === 'PUT' && path.startsWith('/api/artefacts/');
}
