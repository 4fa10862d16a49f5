/**
 * Every error that a person may see. `code` is stable and listed, with its HTTP status, in `errorStatus`;
 * `message` says what is wrong, where, and what to do.
 */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
  }
}

/**
 * What went wrong, the first one first. Where something is put back after an error and that goes wrong too, JavaScript throws one error that holds both, and
 * whose own message names neither.
 */
export function listErrors(error: unknown): unknown[] {
  if (!(error instanceof Error) || error.name !== 'SuppressedError') return [error];
  const { suppressed, error: later } = error as Error & Record<'suppressed' | 'error', unknown>;
  return [...listErrors(suppressed), ...listErrors(later)];
}

/** HTTP status of each error code; `docs/errors.md` lists the same codes (a test compares them). */
export const errorStatus = {
  'invalid-input': 400,
  'not-signed-in': 401,
  'not-allowed': 403,
  'not-found': 404,
  'too-large': 413,
  conflict: 409,
  'visits-deleted': 410,
  'too-many-requests': 429,
  'too-many-uploads': 429,
  internal: 500,
  'disk-full': 507,
  'database-unreachable': 503,
  'artefacts-unreachable': 503,
  'controller-unreachable': 503,
  'migration-failed': 500,
  'postgres-missing': 500,
  'postgres-failed': 500,
  'port-taken': 500,
  'browser-missing': 500,
  'browser-failed': 500,
  'probe-missing': 500,
  'extension-missing': 500,
  'token-refused': 401,
  'protocol-mismatch': 426,
  'agent-missing': 409,
  'scripts-not-allowed': 403,
  'preference-not-allowed': 403,
  'setting-not-obeyed': 409,
  'run-failed': 500,
  'recording-failed': 500,
  'user-refused': 500,
  'user-failed': 500,
  'testbed-refused': 500,
  'testbed-failed': 500,
  'link-mismatch': 500,
  'not-a-trace': 400,
  'corrupt-trace': 400,
  'damaged-bundle': 400,
  'capture-unavailable': 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;
