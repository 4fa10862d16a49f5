import { z } from 'zod';
import { RunLabelsSchema } from './run-labels.ts';

export const mostTags = 12;
const mostTagCharacters = 40;
const mostNoteCharacters = 2000;

/** A short word to find things by. */
export const TagSchema = z
  .string({ error: 'must be a text' })
  .trim()
  .min(1, 'must not be empty')
  .max(mostTagCharacters, `must have at most ${mostTagCharacters} characters`)
  .regex(/^[^\p{Cc},]*$/u, 'must be a single line without a comma');

/** What people wrote on a Run or an Evaluation. It changes no result. */
export const AnnotationSchema = z.strictObject({
  tags: z
    .array(TagSchema)
    .max(mostTags, `must be at most ${mostTags}`)
    .transform((tags) => [...new Set(tags)]),
  /** Plain text. */
  note: z
    .string({ error: 'must be a text' })
    .trim()
    .max(mostNoteCharacters, `must have at most ${mostNoteCharacters} characters`)
    .regex(/^(?:[^\p{Cc}]|[\n\r\t])*$/u, 'must have no control characters other than line breaks and tabs'),
});
export type Annotation = z.infer<typeof AnnotationSchema>;

/** The same of a Run, whose labels are the places of its trend. Left out, they stay. */
export const RunAnnotationSchema = AnnotationSchema.extend({ labels: RunLabelsSchema.optional() });
export type RunAnnotation = z.infer<typeof RunAnnotationSchema>;

/** The same in what lists show; both are empty where nothing was written. */
export const AnnotationFields = { tags: z.array(z.string()).default([]), note: z.string().default('') };

/** A tag that is in use, and how often. */
export const UsedTagSchema = z.object({ tag: z.string(), runs: z.number().int(), evaluations: z.number().int() });
export type UsedTag = z.infer<typeof UsedTagSchema>;
