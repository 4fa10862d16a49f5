import { z } from 'zod';

/** A name that people give: shown everywhere, unique among its siblings, one line of at most 80 characters. */
export const NameSchema = z
  .string({ error: 'must be a text' })
  .trim()
  .min(1, 'must not be empty')
  .max(80, 'must have at most 80 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must be a single line');
