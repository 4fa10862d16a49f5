import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Identity } from '../access/identify.ts';

/** `open`: anybody. `evaluator`: a signed-in evaluator, or a program with an API token. `session`: a signed-in evaluator only. `agent`: an Agent. */
export type Access = 'open' | 'evaluator' | 'session' | 'agent';

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
}

/** One entry of the table of routes, which the server and the OpenAPI document are both made from. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'delete';
  /** As Express writes it: `/api/runs/:id`. */
  path: string;
  summary: string;
  access: Access;
  /** Failed requests are counted and limited, against guessing. */
  isLimited: boolean;
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

interface Definition<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  method: Route['method'];
  path: string;
  summary: string;
  access: Access;
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
export function jsonRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType>(
  definition: Definition<Params, Query, Body> & {
    status?: number;
    answer: Answer;
    handle: (call: CallOf<Params, Query, Body>) => Promise<z.input<Answer>>;
  },
): Route {
  const { status = 200, answer, handle } = definition;
  return {
    ...complete(definition),
    status,
    content: { 'application/json': answer },
    respond: async (call) => {
      call.response.status(status).json(await handle(call as CallOf<Params, Query, Body>));
    },
  };
}

/** A route whose answer has no body. */
export function emptyRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  definition: Definition<Params, Query, Body> & { handle: (call: CallOf<Params, Query, Body>) => Promise<void> },
): Route {
  return {
    ...complete(definition),
    status: 204,
    content: {},
    respond: async (call) => {
      await definition.handle(call as CallOf<Params, Query, Body>);
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
  return { ...complete(definition), status: 200, content, respond: (call) => write(call as CallOf<Params, Query, Body>) };
}

function complete(definition: Definition<z.ZodObject, z.ZodObject, z.ZodType>): Omit<Route, 'status' | 'content' | 'respond'> {
  const { method, path, summary, access, isLimited = false, params, query, body, takesYaml = false } = definition;
  return { method, path, summary, access, isLimited, params: params ?? null, query: query ?? null, body: body ?? null, takesYaml };
}
