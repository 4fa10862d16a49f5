import { z } from 'zod';
import { errorStatus, type ErrorCode } from '#core/app-error.ts';

/** What the process in a user namespace is told at first. */
export const StageOrderSchema = z.object({ controllerUrl: z.string(), token: z.string(), chromePath: z.string(), homeFolder: z.string(), isVerbose: z.boolean() });
export type StageOrder = z.infer<typeof StageOrderSchema>;

/** What it answers: that the stage stands, and when it failed, before or after that. */
export const StageReportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), evaluationYaml: z.string() }),
  z.object({ kind: z.literal('failed'), code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]), problem: z.string() }),
]);
export type StageReport = z.infer<typeof StageReportSchema>;
