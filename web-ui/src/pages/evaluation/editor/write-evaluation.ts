import { stringify } from 'yaml';
import { EvaluationDocumentSchema, type EvaluationDocument } from '#core/evaluation/evaluation-document.ts';

/** A stored Evaluation as a text to edit: what is empty is left out where it means nothing. `path: {}` is a path. */
export function writeEvaluation(evaluation: EvaluationDocument): string {
  const meaning = read(evaluation);
  const means = (text: unknown) => meaning !== null && read(text) === meaning;
  const empty = new Set<string>();
  omitEmpty(evaluation, (key) => !!empty.add(key));
  const kept = new Set([...empty].filter((key) => !means(omitEmpty(evaluation, (each) => each === key))));
  const shorter = omitEmpty(evaluation, (key) => !kept.has(key));
  return stringify(means(shorter) ? shorter : evaluation, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** What an Evaluation means, with all defaults; null of one that earlier versions allowed. */
function read(document: unknown): string | null {
  const { data } = EvaluationDocumentSchema.safeParse(document);
  return data === undefined ? null : JSON.stringify(data);
}

/** Without what is empty under these keys, and what becomes empty by that. */
function omitEmpty(value: unknown, isOmitted: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => omitEmpty(each, isOmitted));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, omitEmpty(each, isOmitted)] as const);
  return Object.fromEntries(entries.filter(([key, each]) => !(isEmpty(each) && isOmitted(key))));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === undefined;
}
