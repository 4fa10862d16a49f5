import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { PrometheusMetrics } from '../operating/prometheus-metrics.ts';

/**
 * Logs and counts method, path, status and duration of every request to the API. Headers, query and body are not logged at all: they
 * carry cookies, tokens, passwords and tickets.
 */
export function logRequests(log: Logger, metrics: Pick<PrometheusMetrics, 'countRequest'>): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    response.once('close', () => {
      const { method, path } = request;
      const { statusCode: status, writableFinished: isComplete } = response;
      const durationMs = performance.now() - startedMs;
      metrics.countRequest({ method, status, ms: durationMs });
      log.debug({ method, path, status, isComplete, durationMs }, 'Request');
    });
    next();
  };
}
