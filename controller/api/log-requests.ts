import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/**
 * Logs method, path, status and duration of every request to the API. Headers, query and body are not logged at all: they
 * carry cookies, tokens, passwords and tickets.
 */
export function logRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    response.once('close', () => {
      const { method, path } = request;
      log.debug(
        {
          method,
          path,
          status: response.statusCode,
          isComplete: response.writableFinished,
          durationMs: performance.now() - startedMs,
        },
        'Request',
      );
    });
    next();
  };
}
