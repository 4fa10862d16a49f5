import { stringify } from 'yaml';
import type { EvaluationDocument } from '#core/evaluation/evaluation-document.ts';

/** A stored Evaluation as a text to edit: empty values are left out, as empty is their default. */
export function writeEvaluation(evaluation: EvaluationDocument): string {
  return stringify(omitEmpty(evaluation), { lineWidth: 0, aliasDuplicateObjects: false });
}

function omitEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitEmpty);
  if (typeof value !== 'object' || value === null) return value;
  // An empty text is a value of a preference.
  const entries = Object.entries(value).map(([key, each]) => [key, key === 'prefs' ? each : omitEmpty(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => !isEmpty(each)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === undefined;
}
