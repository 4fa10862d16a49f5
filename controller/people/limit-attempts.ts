import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { AppError } from '#core/app-error.ts';
import { realTime, type Time } from '#core/clock/time.ts';
import type { ClientAddresses } from './client-address.ts';
import { readBearer } from './identify.ts';

const windowMs = 15 * 60_000;
const failuresPerWindow = 10;
const badTokensPerWindow = 200;
/** How long who sent too many bad tokens waits for each further answer, and how many such answers wait at a time. */
const slowAnswerMs = 1_000;
const mostSlowAnswers = 200;
/** Addresses and beginnings of tokens whose failures are counted at a time. */
const mostCounted = 20_000;
/** Of a token: who knows its beginning cannot try the rest from many addresses. */
const beginningLength = 16;

/** Refuses requests of an address that failed too often of late, against the guessing of passwords and tickets. */
export function limitAttempts(clients: ClientAddresses): RequestHandler {
  return rateLimit({
    windowMs,
    limit: failuresPerWindow,
    skipSuccessfulRequests: true,
    // While the database is away, nobody learns whether a guess was right.
    requestWasSuccessful: (_request, { statusCode }) => statusCode < 400 || statusCode >= 500,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request) => ipKeyGenerator(clients.read(request)),
    // Whose report of an address is believed, ClientAddresses decides.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
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

/**
 * Counts the tokens that are unknown or revoked, of requests and of lines, and slows their answers down once an address sent many of them, or many that begin alike came. A valid
 * token always passes, as it is looked up first: to guess 256 bits is hopeless.
 */
export class BadTokens {
  readonly #time: Time;
  readonly #failures: FailureCounter;
  #waiting = 0;

  constructor(time: Time = realTime) {
    this.#time = time;
    this.#failures = new FailureCounter(time.clock);
  }

  /** Counts one, and resolves when it may be answered; to whether there are too many by now. */
  async slowDown({ address, token }: { address: string; token: string }): Promise<boolean> {
    const counts = [
      this.#failures.add(`address ${ipKeyGenerator(address)}`),
      this.#failures.add(`token ${token.slice(0, beginningLength)}`),
    ];
    if (Math.max(...counts) <= badTokensPerWindow) return false;
    if (this.#waiting >= mostSlowAnswers) return true;
    this.#waiting++;
    await this.#time.sleep(slowAnswerMs, new AbortController().signal);
    this.#waiting--;
    return true;
  }
}

/** Answers requests whose token is unknown or revoked as `BadTokens` says. Other failures do not count. */
export function slowBadTokens({
  clients,
  badTokens,
}: {
  clients: ClientAddresses;
  badTokens: BadTokens;
}): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters.
  return (error: unknown, request, response, next) => {
    if (!(error instanceof AppError) || error.code !== 'token-refused' || request.headers.authorization === undefined) {
      next(error);
      return;
    }
    const attempt = { address: clients.read(request), token: readBearer(request) ?? '' };
    void badTokens.slowDown(attempt).then((areTooMany) => {
      if (areTooMany) response.set('retry-after', String(windowMs / 1000));
      next(areTooMany ? tooManyTokens() : error);
    });
  };
}

function tooManyTokens(): AppError {
  return new AppError(
    'too-many-requests',
    `${badTokensPerWindow} requests from your address, or with tokens like yours, had unknown or revoked tokens. A valid token is answered at once`,
  );
}

/** Counts what failed within the last quarter of an hour, by who did it. Of very many, those that failed last are known. */
export class FailureCounter {
  readonly #clock: Time['clock'];
  /** Who failed lately, and before: what is old is forgotten as a whole, which takes no time. */
  #recent = new Map<string, { sinceMs: number; count: number }>();
  #earlier = new Map<string, { sinceMs: number; count: number }>();

  constructor(clock: Time['clock']) {
    this.#clock = clock;
  }

  /** Adds one, and returns how many there are. */
  add(who: string): number {
    const nowMs = this.#clock();
    const known = this.#recent.get(who) ?? this.#earlier.get(who);
    const current = known && nowMs - known.sinceMs < windowMs ? known : { sinceMs: nowMs, count: 0 };
    current.count++;
    this.#recent.set(who, current);
    if (this.#recent.size >= mostCounted / 2) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    return current.count;
  }

  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }
}
