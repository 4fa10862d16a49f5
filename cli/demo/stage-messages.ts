import { z } from 'zod';
import { demoSubjects } from './demo-evaluation.ts';
import { errorStatus, type ErrorCode } from '#core/app-error.ts';

/** The first message to the process in a user namespace. */
export const StageOrderSchema = z.object({
  subject: z.enum(demoSubjects),
  site: z.string().nullable(),
  controllerUrl: z.string(),
  token: z.string(),
  chromePath: z.string(),
  homeFolder: z.string(),
  isVerbose: z.boolean(),
});
export type StageOrder = z.infer<typeof StageOrderSchema>;

/** Its answers: the stage is ready, or it failed, before or after that. */
export const StageReportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), evaluationYaml: z.string() }),
  z.object({
    kind: z.literal('failed'),
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    problem: z.string(),
  }),
]);
export type StageReport = z.infer<typeof StageReportSchema>;
