import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Request } from 'express';
import type { Logger } from 'pino';
import { AppError, errorStatus } from '#core/app-error.ts';
import { buildRouter, InvalidInputError, refuseInput, serveWebUi } from './build-router.ts';
import { ClientAddresses } from '../people/client-address.ts';
import { BadTokens, limitAttempts, slowBadTokens } from '../people/limit-attempts.ts';
import { listRoutes } from './list-routes.ts';
import type { Services } from './services.ts';
import type { PrometheusMetrics } from '../operating/prometheus-metrics.ts';
import helmet from 'helmet';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Problem } from '#core/protocol/api/problem.ts';
import { isTransient } from '../database/is-transient.ts';

/** How long the body of a request may take. */
export interface ReceivingLimits {
  /** Of any request but an upload: as a whole. */
  wholeMs: number;
  /** Of an upload, which may take as long as it flows: without a byte. */
  idleMs: number;
}

const defaultReceivingLimits: ReceivingLimits = { wholeMs: 300_000, idleMs: 120_000 };

/** Errors of Express and its body parsers that are the client's. */
const ClientErrorSchema = z.object({
  status: z.number().int().min(400).max(499),
  type: z.string().optional(),
  message: z.string(),
});

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

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
    clients = new ClientAddresses(),
    badTokens = new BadTokens(),
  }: {
    webUiFolder: string | null;
    receiving?: ReceivingLimits | undefined;
    /** No proxy is trusted unless given. */
    clients?: ClientAddresses;
    /** Those of lines count, too, where the hub of Agents has the same. */
    badTokens?: BadTokens;
  },
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
  app.use('/api', refuseForeignOrigin(publicUrl));
  app.use(buildRouter(listRoutes(services), services, limitAttempts(clients)));
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
  app.use(slowBadTokens({ clients, badTokens }), answerError(log));
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
    // Of what was to be sent.
    for (const name of ['content-type', 'content-disposition']) response.removeHeader(name);
    response.status(status).json(problem);
  };
}

/**
 * Logs and counts method, path, status and duration of every request to the API. Headers, query and body are not logged at all: they
 * carry cookies, tokens, passwords and tickets.
 */
function logRequests(log: Logger, metrics: Pick<PrometheusMetrics, 'countRequest'>): RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    response.once('close', () => {
      const { method, path } = request;
      const { statusCode: status, writableFinished: isComplete } = response;
      const durationMs = performance.now() - startedMs;
      // An event stream takes as long as its page is open.
      if (response.getHeader('content-type') !== 'text/event-stream')
        metrics.countRequest({ method, status, ms: durationMs });
      log.debug({ method, path, status, isComplete, durationMs }, 'Request');
    });
    next();
  };
}

/**
 * The pages load nothing from elsewhere, run no script inside a page, and are framed by nobody. Style sheets may be in
 * a page, because the component library writes its colours there.
 */
function setSecurityHeaders({ isSecure }: { isSecure: boolean }): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'manifest-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    strictTransportSecurity: isSecure,
    // Browsers heed it over https only, and warn about it elsewhere.
    crossOriginOpenerPolicy: isSecure,
    xFrameOptions: { action: 'deny' },
  });
}

/**
 * Refuses requests that change something and that a browser sends for a page of another site, signing in included. Browsers say so by
 * Sec-Fetch-Site, and over http, where they keep that back, by Origin. Programs send neither; who sends a token, as Agents in a browser do, needs no cookie.
 * https://www.w3.org/TR/fetch-metadata/
 */
function refuseForeignOrigin(publicUrl: string | null): RequestHandler {
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
  return (request, _response, next) => {
    if (
      readingMethods.has(request.method) ||
      request.headers.authorization !== undefined ||
      isFromHere(request, publicOrigin)
    ) {
      next();
      return;
    }
    throw new AppError(
      'not-allowed',
      `A page of another site (${request.get('origin') ?? 'unnamed'}) cannot change anything here. Behind a proxy, start the Controller with --public-url and its public address`,
    );
  };
}

function isFromHere(request: Request, publicOrigin: string | null): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  if (origin === undefined || origin === publicOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.get('host');
}

/**
 * Refuses requests for a name that is not the Controller's. A web page can have its own name point to this machine (DNS rebinding), and is then of
 * the same origin for the browser. An address cannot be pointed elsewhere; who sends a token is no page that was misled; HTTP/1.0 knows no Host.
 */
function refuseForeignHost({ host, publicUrl }: { host: string; publicUrl: string | null }): RequestHandler {
  const own = hostname().toLowerCase();
  const names = new Set(['localhost', host.toLowerCase(), own, `${own}.local`]);
  if (publicUrl !== null) names.add(new URL(publicUrl).hostname);

  return (request, _response, next) => {
    const name = nameIn(request.headers.host);
    if (
      request.headers.authorization !== undefined ||
      name === null ||
      isAddress(name) ||
      name.endsWith('.localhost') ||
      names.has(name)
    ) {
      next();
      return;
    }
    throw new AppError(
      'not-allowed',
      `The Controller does not have the name ${JSON.stringify(name)}: use its IP address, or start it with --public-url and its public address`,
    );
  };
}

/** Without the port, in lower case and without the dot of the root; null where none was sent. What is no host is given back as it is. */
function nameIn(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  const url = `http://${header}`;
  return (URL.canParse(url) ? new URL(url).hostname : header).toLowerCase().replace(/\.$/, '');
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** What a client gets to know of an error. `details` is the id under which the log has the rest; else null. */
function toProblem(thrown: unknown): { status: number; problem: Problem; details: string | null } {
  const error = isTransient(thrown) ? databaseAway(thrown) : (toClientError(thrown) ?? thrown);
  if (error instanceof AppError) {
    const issues = error instanceof InvalidInputError ? error.issues : [];
    return {
      status: errorStatus[error.code],
      problem: { code: error.code, message: error.message, issues },
      details: null,
    };
  }
  const id = randomUUID();
  const message = `Internal error of the Controller: see its log under ${id}`;
  return { status: errorStatus.internal, problem: { code: 'internal', message, issues: [] }, details: id };
}

function databaseAway(cause: unknown): AppError {
  if (isDiskFull(cause))
    return new AppError('disk-full', 'The disk of the database is full: free space on it', { cause });
  return new AppError('database-unreachable', 'The database does not answer: try again in a moment', { cause });
}

/** PostgreSQL 18, Appendix A. */
function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === '53100') || isDiskFull(error.cause));
}

function toClientError(thrown: unknown): AppError | null {
  const parsed = ClientErrorSchema.safeParse(thrown);
  if (thrown instanceof AppError || !parsed.success) return null;
  switch (parsed.data.type) {
    case 'entity.too.large':
      return new AppError('too-large', 'The request is too large: split it or shorten it');
    case 'entity.parse.failed':
      return refuseInput('request', [{ path: '', line: null, message: `it is not JSON: ${parsed.data.message}` }]);
    default:
      return new InvalidInputError(`The request cannot be read: ${parsed.data.message}`);
  }
}

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
  return (method === 'PUT' && path.startsWith('/api/artefacts/')) || (method === 'POST' && path === '/api/sites');
}
