import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { AppError } from '#core/app-error.ts';

const windowMs = 15 * 60_000;
const failuresPerWindow = 10;

/** Refuses requests of an address that failed too often of late, against the guessing of passwords and tickets. */
export function limitAttempts(): RequestHandler {
  return rateLimit({
    windowMs,
    limit: failuresPerWindow,
    skipSuccessfulRequests: true,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_request, _response, next) => {
      next(new AppError('too-many-requests', `Signing in failed ${failuresPerWindow} times from your address: try again in a quarter of an hour`));
    },
  });
}
