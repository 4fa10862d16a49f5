import type { Exchange } from './exchange.ts';

/**
 * Answers one exchange; `segments` are what the path has after the route's own name. Throws `AppError` for what the client
 * got wrong.
 */
export type Handler = (exchange: Exchange, segments: string[]) => Promise<void>;
