import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { VariableNameSchema } from '../../evaluation/pages/variables.ts';

const mostLabels = 20;

/** What a Run is known by beside its time, such as the build that it measured: `{ build: '1234' }`. */
export const RunLabelsSchema = z
  .record(VariableNameSchema, NameSchema)
  .refine((labels) => Object.keys(labels).length <= mostLabels, `must have at most ${mostLabels} labels`);
export type RunLabels = z.infer<typeof RunLabelsSchema>;

/** `build=1234, commit=9f3c`; empty without labels. */
export function formatLabels(labels: RunLabels): string {
  return listLabels(labels).join(', ');
}

/** Each as `build=1234`. */
export function listLabels(labels: RunLabels): string[] {
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}
