import type { AnyRequest, AnyResponse } from './create-server.ts';
import type { TruthLog } from './truth-log.ts';
import { truthOf } from './truth-of.ts';

export const truthPath = '/__truth';

/**
 * The log over HTTP, itself not logged: `GET /__truth?visit=ID` (all Visits without one), `DELETE /__truth`. It has no CORS
 * headers, so no page can read it.
 */
export function serveTruth(request: AnyRequest, response: AnyResponse, log: TruthLog): void {
  switch (request.method) {
    case 'GET': {
      const visit = new URL(request.url ?? truthPath, 'http://origin').searchParams.get('visit') ?? undefined;
      const requests = log.requests(visit);
      const truth = visit === undefined || requests.length === 0 ? null : truthOf(log, visit);
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-store');
      response.end(JSON.stringify({ truth, requests, connections: log.connections() }));
      return;
    }
    case 'DELETE':
      log.clear();
      response.statusCode = 204;
      response.end();
      return;
    default:
      response.statusCode = 405;
      response.setHeader('allow', 'GET, DELETE');
      response.end(`${truthPath} answers GET and DELETE only.\n`);
  }
}
