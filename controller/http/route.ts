import type { Request, Response } from 'express';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { AuditAction, AuditEntry } from '#core/protocol/api/audit-entry.ts';
import type { Access, Need } from '../people/authorise.ts';
import type { Identity } from '../people/identify.ts';
import { LatencyOriginSchema } from '#core/metrics/latency-origin.ts';

/** What the audit log records of a request that was done. */
export interface AuditNote {
  action: AuditAction;
  /** What it was done to, in words: `Run 7 of "Two users"`. */
  subject: string;
  details?: AuditEntry['details'];
  /** Who, on open routes; else the sender of the request. */
  actor?: string;
}

/** One request, parsed. */
export interface Call<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** Null on open routes and those of Agents. */
  identity: Identity | null;
  request: Request;
  response: Response;
  /** Aborted when the client goes before it has its answer. */
  signal: AbortSignal;
  /** Writes what was done into the audit log. */
  record: (note: AuditNote) => Promise<void>;
}

/** One entry of the table of routes, which the server and the OpenAPI document are both made from. */
export interface Route extends Need {
  method: 'get' | 'post' | 'put' | 'delete';
  /** As Express writes it: `/api/runs/:id`. */
  path: string;
  summary: string;
  /** Failed requests are counted and limited, against guessing. */
  isLimited: boolean;
  /** Whether what is done goes into the audit log. */
  isAudited: boolean;
  params: z.ZodObject | null;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  /** Whether the body may be YAML instead of JSON. */
  takesYaml: boolean;
  status: number;
  /** What is answered, by content type; nothing when empty. */
  content: Record<string, z.ZodType>;
  respond: (call: Call<unknown, unknown, unknown>) => Promise<void>;
}

/** The number of a stored thing, as text. */
export const IdSchema = z.string().regex(/^[1-9]\d{0,17}$/, 'must be a whole number');
export const IdParams = z.object({ id: IdSchema });

/** From when latencies count. */
export const FromQuery = z.object({ from: LatencyOriginSchema.default('navigation-start') });

interface Definition<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  method: Route['method'];
  path: string;
  summary: string;
  access: Access;
  isForPeople?: boolean;
  isShared?: boolean;
  isForAgents?: boolean;
  isLimited?: boolean;
  params?: Params;
  query?: Query;
  body?: Body;
  takesYaml?: boolean;
}

type CallOf<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> = Call<
  z.output<Params>,
  z.output<Query>,
  z.output<Body>
>;

/** A route that answers one JSON document. */
export function jsonRoute<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(
  definition: Definition<Params, Query, Body> & {
    status?: number;
    answer: Answer;
    handle: (call: CallOf<Params, Query, Body>) => Promise<z.input<Answer>>;
    /** Null when nothing was done after all. */
    audit?: (call: CallOf<Params, Query, Body>, answer: z.input<Answer>) => AuditNote | null;
  },
): Route {
  const { status = 200, answer, handle, audit } = definition;
  return {
    ...complete(definition),
    isAudited: audit !== undefined,
    status,
    content: { 'application/json': answer },
    respond: async (given) => {
      const call = given as CallOf<Params, Query, Body>;
      const result = await handle(call);
      const note = audit?.(call, result);
      if (note) await call.record(note);
      call.response.status(status).json(result);
    },
  };
}

/** A route whose answer has no body. */
export function emptyRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType, Done>(
  definition: Definition<Params, Query, Body> & {
    /** Its answer is for the audit log. */
    handle: (call: CallOf<Params, Query, Body>) => Promise<Done>;
    audit?: (call: CallOf<Params, Query, Body>, done: Done) => AuditNote | null;
  },
): Route {
  const { handle, audit } = definition;
  return {
    ...complete(definition),
    isAudited: audit !== undefined,
    status: 204,
    content: {},
    respond: async (given) => {
      const call = given as CallOf<Params, Query, Body>;
      const done = await handle(call);
      const note = audit?.(call, done);
      if (note) await call.record(note);
      call.response.status(204).end();
    },
  };
}

/** A route that writes its answer itself: text, or a stream. */
export function streamRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  definition: Definition<Params, Query, Body> & {
    content: Record<string, z.ZodType>;
    write: (call: CallOf<Params, Query, Body>) => Promise<void>;
  },
): Route {
  const { content, write } = definition;
  return {
    ...complete(definition),
    status: 200,
    content,
    isAudited: false,
    respond: (call) => write(call as CallOf<Params, Query, Body>),
  };
}

/**
 * Sends the pieces of an answer as they come, through `through` where that is given. Nothing is sent before there are two: the first may be a head that is the same for all. What fails until then is
 * thrown, and can be answered as an error. HEAD is answered without them.
 */
export async function sendPieces(
  pieces: AsyncIterable<string | Buffer>,
  { response, signal, through = null }: { response: Response; signal: AbortSignal; through?: Transform | null },
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    const first = [await iterator.next(), await iterator.next()];
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    const source = Readable.from(resume(first, iterator));
    await (through ? pipeline(source, through, response, { signal }) : pipeline(source, response, { signal }));
  } finally {
    await iterator.return?.();
  }
}

async function* resume<Piece>(
  first: readonly IteratorResult<Piece>[],
  iterator: AsyncIterator<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  for (const { done, value } of first) if (done !== true) yield value;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

function complete(
  definition: Definition<z.ZodObject, z.ZodObject, z.ZodType>,
): Omit<Route, 'isAudited' | 'status' | 'content' | 'respond'> {
  const {
    method,
    path,
    summary,
    access,
    isForPeople = false,
    isShared = false,
    isForAgents = false,
    isLimited = false,
    params,
    query,
    body,
    takesYaml = false,
  } = definition;
  return {
    method,
    path,
    summary,
    access,
    isForPeople,
    isShared,
    isForAgents,
    isLimited,
    params: params ?? null,
    query: query ?? null,
    body: body ?? null,
    takesYaml,
  };
}
