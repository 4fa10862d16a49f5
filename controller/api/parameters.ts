import { z } from 'zod';

/** The number of a stored thing, as text. */
export const IdSchema = z.string().regex(/^[1-9]\d{0,17}$/, 'must be a whole number');
export const IdParams = z.object({ id: IdSchema });
