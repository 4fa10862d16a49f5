import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '#core/app-error.ts';
import { realTime, type Time } from '#core/clock/time.ts';
import type { ClientAddresses } from './client-address.ts';
import { readBearer } from './identify.ts';

const windowMs = 15 * 60_000;
const failuresPerWindow = 10;
/** Sign-ins of one address that wait for others at a time. */
const mostWaiting = 200;
const badTokensPerWindow = 200;
/** How long who sent too many bad tokens waits for each further answer, and how many such answers wait at a time. */
const slowAnswerMs = 1_000;
const mostSlowAnswers = 200;
/** Addresses and beginnings of tokens whose failures are counted at a time. */
const mostCounted = 20_000;
/** Of a token: who knows its beginning cannot try the rest from many addresses. */
const beginningLength = 16;

/**
 * Refuses requests of an address that failed too often of late, against the guessing of passwords and tickets. One that may be too many waits until
 * others are answered: right ones at the same time lock nobody out, and wrong ones never pass the limit.
 */
export function limitAttempts(clients: ClientAddresses, clock: Time['clock'] = realTime.clock): RequestHandler {
  const failures = new FailureCounter(clock);
  /** By address. `present`: with those that wait. */
  const attempts = new Map<string, { present: number; running: number; waiting: (() => void)[] }>();
  return async (request, response, next) => {
    const address = ipKeyGenerator(clients.read(request));
    const own = attempts.get(address) ?? { present: 0, running: 0, waiting: [] };
    attempts.set(address, own);
    own.present++;
    const leave = () => {
      own.present--;
      if (own.present === 0) attempts.delete(address);
    };
    const mayBeTooMany = () => failures.count(address) + own.running >= failuresPerWindow;
    const isTooMany = () => failures.count(address) >= failuresPerWindow || own.waiting.length >= mostWaiting;
    while (mayBeTooMany() && !isTooMany()) await new Promise<void>((resolve) => own.waiting.push(resolve));
    if (mayBeTooMany()) {
      leave();
      response.set('retry-after', String(windowMs / 1000));
      next(
        new AppError(
          'too-many-requests',
          `${failuresPerWindow} sign-ins from your address failed: try again in 15 minutes`,
        ),
      );
      return;
    }
    if (response.closed) {
      leave();
      return;
    }
    own.running++;
    response.once('close', () => {
      own.running--;
      // While the database is away, nobody learns whether a guess was right.
      const isRight = response.writableFinished && (response.statusCode < 400 || response.statusCode >= 500);
      if (!isRight) failures.add(address);
      for (const resume of own.waiting.splice(0)) resume();
      leave();
    });
    next();
  };
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
    const current = this.#find(who) ?? { sinceMs: this.#clock(), count: 0 };
    current.count++;
    this.#recent.set(who, current);
    if (this.#recent.size >= mostCounted / 2) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    return current.count;
  }

  count(who: string): number {
    return this.#find(who)?.count ?? 0;
  }

  #find(who: string): { sinceMs: number; count: number } | undefined {
    const known = this.#recent.get(who) ?? this.#earlier.get(who);
    return known && this.#clock() - known.sinceMs < windowMs ? known : undefined;
  }

  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }
}
