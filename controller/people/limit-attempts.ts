import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { AppError } from '#core/app-error.ts';

const windowMs = 15 * 60_000;
const failuresPerWindow = 10;
const badTokensPerWindow = 200;
const common = { windowMs, skipSuccessfulRequests: true, standardHeaders: 'draft-8', legacyHeaders: false } as const;

/** Refuses requests of an address that failed too often of late, against the guessing of passwords and tickets. */
export function limitAttempts(): RequestHandler {
  return rateLimit({
    ...common,
    limit: failuresPerWindow,
    handler: (_request, _response, next) => {
      next(
        new AppError(
          'too-many-requests',
          `${failuresPerWindow} sign-ins from your address failed: try again in 15 minutes`,
        ),
      );
    },
  });
}

/** Refuses requests with a token of an address that sent too many of late that are unknown or revoked; other failures do not count. */
export function limitTokens(): RequestHandler {
  return rateLimit({
    ...common,
    limit: badTokensPerWindow,
    skip: (request) => request.headers.authorization === undefined,
    requestWasSuccessful: (_request, response) => response.statusCode !== 401,
    handler: (_request, _response, next) => {
      next(
        new AppError(
          'too-many-requests',
          `${badTokensPerWindow} requests from your address had unknown or revoked tokens: try again in 15 minutes with a valid token`,
        ),
      );
    },
  });
}
