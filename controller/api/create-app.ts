import compression from 'compression';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { refuseForeignHost } from '../access/refuse-foreign-host.ts';
import { refuseForeignOrigin } from '../access/refuse-foreign-origin.ts';
import { buildRouter } from './build-router.ts';
import { limitTokens } from './limit-attempts.ts';
import { defaultReceivingLimits, limitReceiving, type ReceivingLimits } from './limit-receiving.ts';
import { listRoutes } from './routes/list-routes.ts';
import { logRequests } from './log-requests.ts';
import { serveWebUi } from './serve-web-ui.ts';
import type { Services } from './services.ts';
import { setSecurityHeaders } from './set-security-headers.ts';
import { toProblem } from './to-problem.ts';

/** What shows a session is shorter: a secret is not to be compressed beside what somebody else chose. */
const compressedFromBytes = 4096;
/** Not event streams, whose every event is to go at once. */
const compressedTypes = /^(application\/json|image\/svg\+xml|text\/(css|csv|html|javascript|yaml))\b/;

/** The HTTP side of the Controller: the API under /api, and the web UI under all else where it is built. */
export function createApp(
  services: Services,
  {
    webUiFolder,
    receiving = defaultReceivingLimits,
  }: { webUiFolder: string | null; receiving?: ReceivingLimits | undefined },
): Express {
  const { log, metrics, isSecure, host, publicUrl } = services;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(limitReceiving(receiving));
  app.use(setSecurityHeaders({ isSecure }));
  app.use(
    compression({
      threshold: compressedFromBytes,
      filter: (_request, response) => compressedTypes.test(String(response.getHeader('content-type'))),
    }),
  );
  app.use('/api', logRequests(log, metrics), (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });
  app.use(refuseForeignHost({ host, publicUrl }));
  app.use('/api', refuseForeignOrigin(publicUrl), limitTokens());
  app.use(buildRouter(listRoutes(services), services));
  app.use('/api', ({ method, originalUrl }) => {
    throw new AppError(
      'not-found',
      `There is nothing to ${method} at ${originalUrl.split('?')[0] ?? ''}: /api/openapi.json lists all addresses`,
    );
  });
  if (webUiFolder !== null) app.use(serveWebUi(webUiFolder));
  app.use(({ path }) => {
    throw new AppError('not-found', `There is nothing at ${path}`);
  });
  app.use(answerError(log));
  return app;
}

function answerError(log: Logger): ErrorRequestHandler {
  // oxlint-disable-next-line max-params, no-unused-vars -- Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) {
      // A stream that breaks off must not look whole. A client that went away is no error.
      if (!response.destroyed) log.error({ err: error, path: request.path }, 'A response ended early');
      response.destroy();
      return;
    }
    const { status, problem, details } = toProblem(error);
    if (details !== null)
      log.error({ err: error, id: details, method: request.method, path: request.path }, 'A request failed');
    response.status(status).json(problem);
  };
}
