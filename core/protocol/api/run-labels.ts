import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { VariableNameSchema } from '../../evaluation/pages/variables.ts';

export const mostLabels = 20;

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

/** What people wrote as labels, or what is wrong with it, as a sentence. */
export type ReadLabels = { kind: 'read'; labels: RunLabels } | { kind: 'wrong'; problem: string };

/** One more `KEY=VALUE` beside the labels before it. */
export function addLabel(text: string, earlier: RunLabels): ReadLabels {
  const [, key, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) return wrong('It must be a key and a value, such as build=1234.');
  const name = VariableNameSchema.safeParse(key.trim());
  if (!name.success) return wrong(`The key ${name.error.issues[0]!.message}.`);
  if (Object.hasOwn(earlier, name.data)) return wrong(`There is another label "${name.data}".`);
  const labels = RunLabelsSchema.safeParse({ ...earlier, [name.data]: value });
  return labels.success ? { kind: 'read', labels: labels.data } : wrong(`It ${labels.error.issues[0]!.message}.`);
}

/** The labels of a Run, each as `KEY=VALUE`. */
export function readLabels(texts: readonly string[]): ReadLabels {
  let labels: RunLabels = {};
  for (const text of texts) {
    const read = addLabel(text, labels);
    if (read.kind === 'wrong') return wrong(`${text}: ${read.problem}`);
    labels = read.labels;
  }
  return { kind: 'read', labels };
}

function wrong(problem: string): ReadLabels {
  return { kind: 'wrong', problem };
}
