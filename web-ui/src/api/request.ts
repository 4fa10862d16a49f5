import type { z } from 'zod';
import { ProblemSchema, type Problem } from '#core/protocol/api/problem.ts';

interface Request<Answer> {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: RequestBody;
  headers?: Record<string, string>;
  answer: (response: Response) => Promise<Answer>;
  signal?: AbortSignal | undefined;
}

type RequestBody = { json: unknown } | { yaml: string } | { file: File };

let csrfToken: string | null = null;

/** Every later request that changes something carries this token, which came with the session. */
export function carryCsrfTokenOf(session: { csrfToken: string } | null): void {
  csrfToken = session?.csrfToken ?? null;
}

let shareSecret: string | null = null;

/** Every later request is that of the page of a shared link, and carries its secret. */
export function carryShareSecret(secret: string): void {
  shareSecret = secret;
}

/** Sends a request to the Controller. Throws a ProblemError when the Controller refuses, does not answer, or answers in an unexpected shape. */
export async function request<Answer>({
  method = 'GET',
  path,
  body,
  headers,
  answer,
  signal,
}: Request<Answer>): Promise<Answer> {
  const init: RequestInit = {
    method,
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': typeOf(body) }),
      ...(shareSecret && { authorization: `Bearer ${shareSecret}` }),
      ...(method !== 'GET' && csrfToken && { 'x-csrf-token': csrfToken }),
      ...headers,
    },
    ...(body && { body: contentsOf(body) }),
    ...(signal && { signal }),
  };

  try {
    const response = await fetch(path, init);
    if (!response.ok) throw new ProblemError(await readProblem(response));
    return await answer(response);
  } catch (cause) {
    // What a browser throws when there is no connection, or when it breaks within the answer.
    if (signal?.aborted || !(cause instanceof TypeError)) throw cause;
    throw new ProblemError(
      {
        code: 'controller-unreachable',
        message: 'The Controller does not answer. Check that it is running and reachable.',
        issues: [],
      },
      { cause },
    );
  }
}

function typeOf(body: RequestBody): string {
  return 'json' in body ? 'application/json' : 'yaml' in body ? 'application/yaml' : 'application/octet-stream';
}

function contentsOf(body: RequestBody): BodyInit {
  return 'json' in body ? JSON.stringify(body.json) : 'yaml' in body ? body.yaml : body.file;
}

/** Reads a JSON answer by its schema. */
export function json<Schema extends z.ZodType>(schema: Schema): (response: Response) => Promise<z.infer<Schema>> {
  return async (response) => {
    // A page of something between, such as a proxy's, is no JSON.
    const parsed = schema.safeParse(parseJson(await response.text()));
    if (parsed.success) return parsed.data;
    const { path, message } = parsed.error.issues[0]!;
    throw new ProblemError({
      code: 'internal',
      message: `Unexpected answer from ${new URL(response.url).pathname} at "${path.join('.')}": ${message}. The web UI may have another version than the Controller: reload the page.`,
      issues: [],
    });
  };
}

export const text = (response: Response): Promise<string> => response.text();

/** For answers whose body says nothing. */
export const nothing = async (response: Response): Promise<void> => {
  await response.body?.cancel();
};

async function readProblem(response: Response): Promise<Problem> {
  const body = await response.text();
  const parsed = ProblemSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const code = response.status >= 502 ? 'controller-unreachable' : 'internal';
  return {
    code,
    message: `${new URL(response.url).pathname} returned HTTP status ${response.status}. See the Controller's log.`,
    issues: [],
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** A request that failed: the Controller's own Problem, or one that says why there is no answer. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

/** The Problem to show for any error: a Problem as it is, a bug by its message. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code: 'internal', message: error instanceof Error ? error.message : String(error), issues: [] };
}
