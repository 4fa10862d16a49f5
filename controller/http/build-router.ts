import { existsSync } from 'node:fs';
import path from 'node:path';
import express, { Router, type Request, type RequestHandler } from 'express';
import { AppError } from '#core/app-error.ts';
import { authorise } from '../people/authorise.ts';
import type { Entrance } from '../people/entrance.ts';
import { type Identity, nameIdentity } from '../people/identify.ts';
import { storeAuditEntry } from '../people/audit.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';
import type { z } from 'zod';
import { decodeText } from '#core/input/decode-text.ts';
import { formatPath, maximumIssues } from '#core/input/describe-issues.ts';
import { parseStorable, parseYaml } from '#core/input/parse-yaml.ts';
import type { Problem } from '#core/protocol/api/problem.ts';

const bodyLimit = '1mb';
const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml'];
const readBody = [
  express.json({ limit: bodyLimit, verify: checkText }),
  express.text({ limit: bodyLimit, type: yamlTypes, verify: checkText }),
];

/** Identifies the sender before anything of the request is read. `limiter`: for routes that many may try to guess at. */
export function buildRouter(
  routes: readonly Route[],
  entrance: Entrance & Pick<Services, 'pool'>,
  limiter: RequestHandler,
): Router {
  const router = Router();
  for (const route of routes) {
    const admit: RequestHandler = async (request, response, next) => {
      response.locals.identity = await authorise(entrance, route, request);
      next();
    };
    router[route.method](
      route.path,
      ...(route.isLimited ? [limiter] : []),
      admit,
      ...(route.body ? readBody : []),
      respond(route, entrance.pool),
    );
  }
  return router;
}

/** Express puts U+FFFD in place of bytes that are none of the encoding. RFC 8259 and RFC 9512 know UTF-8 alone. */
function checkText(
  ...[, , body, encoding]: [request: unknown, response: unknown, body: Buffer, encoding: string]
): void {
  if (!/^(utf-?8|(us-)?ascii)$/i.test(encoding))
    throw new InvalidInputError(`The request is in the encoding ${encoding}: send it as UTF-8`);
  decodeText(body, 'The request');
}

function respond(route: Route, pool: Services['pool']): RequestHandler {
  return async (request, response) => {
    const closed = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) closed.abort();
    });
    const identity = response.locals.identity as Identity | null;
    await route.respond({
      params: readParams(route, request),
      query: route.query && parseInput(route.query, { input: request.query, what: 'query' }),
      body: parseBody(route, request),
      identity,
      request,
      response,
      signal: closed.signal,
      record: ({ actor, ...note }) => storeAuditEntry(pool, { ...note, actor: actor ?? nameIdentity(identity) }),
    });
  };
}

/** An address with an id that no id can be, leads nowhere. */
function readParams({ params }: Route, request: Request): unknown {
  const parsed = params?.safeParse(request.params);
  if (parsed?.success === false) throw new AppError('not-found', `There is nothing at ${request.path}: check the id`);
  return parsed?.data;
}

function parseBody({ body: schema, takesYaml }: Route, request: Request): unknown {
  const body: unknown = request.body;
  if (!schema) return undefined;
  // The parser of JSON takes no text alone, so that a text is YAML.
  if (typeof body === 'string' && takesYaml) return readYaml(body, schema);
  if (typeof body === 'string' || (body === undefined && hasBody(request))) {
    const types = takesYaml ? '"application/json" or "application/yaml"' : '"application/json"';
    throw new AppError(
      'invalid-input',
      `The content type of the body must be ${types}, not ${JSON.stringify(request.get('content-type') ?? '')}`,
    );
  }
  return parseInput(schema, { input: body, what: 'request' });
}

/** One that comes in chunks says no length. */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Parses what a client sent, or what is made of it; `what` names it. Throws InvalidInputError with every field that is wrong. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  { input, what }: { input: unknown; what: string },
): z.output<Schema> {
  const parsed = parseStorable(input, schema);
  if (parsed.kind === 'valid') return parsed.value;
  throw refuseInput(
    what,
    parsed.issues.map(({ path, message }) => ({ path: formatPath(path), line: null, message })),
  );
}

/** Reads a YAML text. Throws InvalidInputError in which every issue has its line. */
export function readYaml<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const parsed = parseYaml(text, schema);
  if (parsed.kind === 'valid') return parsed.value;
  throw refuseInput(
    'YAML',
    parsed.issues.map(({ path, line, message }) => ({ path: formatPath(path), line, message })),
  );
}

/** Bad input, with every field that is wrong. */
export class InvalidInputError extends AppError {
  readonly issues: Problem['issues'];

  constructor(message: string, issues: Problem['issues'] = []) {
    super('invalid-input', message);
    this.name = 'InvalidInputError';
    this.issues = issues;
  }
}

/** The error for a document in which these fields are wrong. */
export function refuseInput(what: string, issues: Problem['issues']): InvalidInputError {
  const first = issues[0]!;
  const place = [first.line === null ? '' : `line ${first.line}`, first.path].filter(Boolean).join(', ');
  const others = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new InvalidInputError(
    `The ${what} is invalid: ${place ? `${place}: ` : ''}${first.message}${others}`,
    issues.slice(0, maximumIssues),
  );
}

/** Serves the built web UI. Its own addresses, such as /runs/7, all lead to its one page. */
export function serveWebUi(folder: string): Router {
  const router = Router();
  const page = path.join(folder, 'index.html');

  // Vite puts a hash of the content into the names of what it writes here.
  router.use(
    '/assets',
    express.static(path.join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false, fallthrough: true }),
  );
  router.use(
    express.static(folder, { index: false, setHeaders: (response) => response.setHeader('cache-control', 'no-cache') }),
  );
  router.get('/{*path}', (request, response, next) => {
    if (path.extname(request.path) !== '' || !request.accepts('html')) {
      next();
    } else if (existsSync(page)) {
      response.sendFile(page, { headers: { 'cache-control': 'no-cache' } });
    } else {
      next(
        new AppError(
          'not-found',
          `The web UI is not built (no ${page}): start the Controller with ./http-ae, which builds it`,
        ),
      );
    }
  });
  return router;
}
