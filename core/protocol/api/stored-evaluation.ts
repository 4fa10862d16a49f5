import { z } from 'zod';
import { EvaluationDocumentSchema } from '../../evaluation/evaluation-document.ts';
import { AnnotationFields } from './annotation.ts';
import { RunSummarySchema } from './run.ts';

const Time = z.iso.datetime({ offset: true });

export const EvaluationSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  scenarios: z.array(z.object({ name: z.string(), baseline: z.boolean() })),
  userAgents: z.array(z.string()),
  urlCount: z.number().int(),
  updatedAt: Time,
  lastRun: RunSummarySchema.nullable(),
  /** The newest completed Run that has an outcome. */
  lastResult: RunSummarySchema.nullable().default(null),
  ...AnnotationFields,
});
export type EvaluationSummary = z.infer<typeof EvaluationSummarySchema>;

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
