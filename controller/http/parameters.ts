import { z } from 'zod';
import { LatencyOriginSchema } from '#core/metrics/latency-origin.ts';

/** The number of a stored thing, as text. */
export const IdSchema = z.string().regex(/^[1-9]\d{0,17}$/, 'must be a whole number');
export const IdParams = z.object({ id: IdSchema });

/** From when latencies count. */
export const FromQuery = z.object({ from: LatencyOriginSchema.default('navigation-start') });
