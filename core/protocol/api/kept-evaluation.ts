import { z } from 'zod';
import { StoredEvaluationSchema } from './stored-evaluation.ts';

/** What became of a document that names itself, such as a file that is evaluated again and again. */
export const KeptEvaluationSchema = z.object({
  /** `new`: no Evaluation had its name. `same`: one is this document already. `changed`: one has it as its next version. */
  kind: z.enum(['new', 'same', 'changed']),
  evaluation: StoredEvaluationSchema,
  /** How many Evaluations had the name before. */
  namesakes: z.number().int(),
});
export type KeptEvaluation = z.infer<typeof KeptEvaluationSchema>;
