import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError, errorStatus } from '#core/app-error.ts';
import type { Problem } from '#core/protocol/api/problem.ts';
import { isTransient } from '../db/connection/is-transient.ts';
import { InvalidInputError, refuseInput } from './invalid-input-error.ts';

/** Errors of Express and its body parsers that are the client's. */
const ClientErrorSchema = z.object({
  status: z.number().int().min(400).max(499),
  type: z.string().optional(),
  message: z.string(),
});

/** What a client gets to know of an error. `details` is the id under which the log has the rest; else null. */
export function toProblem(thrown: unknown): { status: number; problem: Problem; details: string | null } {
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
