import { z } from 'zod';
import { EvaluationDocumentSchema } from '../../evaluation/evaluation-document.ts';
import { AnnotationFields } from './annotation.ts';

const Time = z.iso.datetime({ offset: true });

export const StoredEvaluationSchema = z.object({
  id: z.string(),
  /** Rises with each change; an update must name the version it started from. */
  version: z.number().int(),
  createdAt: Time,
  updatedAt: Time,
  /** Who stored it last; null where that was not kept. */
  updatedBy: z.string().nullable(),
  /** The Run whose Evaluation it is a change of; null where it is no such change. */
  changedFromRun: z.string().nullable().default(null),
  document: EvaluationDocumentSchema,
  ...AnnotationFields,
});
export type StoredEvaluation = z.infer<typeof StoredEvaluationSchema>;

/** What became of a document that names itself, such as a file that is evaluated again and again. */
export const KeptEvaluationSchema = z.object({
  /** `new`: no Evaluation had its name. `same`: one is this document already. `changed`: one has it as its next version. */
  kind: z.enum(['new', 'same', 'changed']),
  evaluation: StoredEvaluationSchema,
  /** How many Evaluations had the name before. */
  namesakes: z.number().int(),
});
export type KeptEvaluation = z.infer<typeof KeptEvaluationSchema>;
