import type { StudyPart, Study, StudyValues } from './study-definition.ts';

/** Replaces each `${name}` of a text. Throws RangeError with the names that have no value. */
export function fillValues(text: string, values: StudyValues): string {
  const missing = new Set<string>();
  const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) missing.add(name);
    return String(values[name]);
  });
  if (missing.size > 0) throw new RangeError(`no value of ${[...missing].join(', ')}`);
  return filled;
}

/** The values of a part: those of the study, its own, and with `isQuick` those of quick Runs. Later ones win. */
export function valuesOf(
  { values, quick }: Pick<Study, 'values' | 'quick'>,
  part: StudyPart,
  { isQuick, others = {} }: { isQuick: boolean; others?: StudyValues },
): StudyValues {
  return { ...values, ...part.values, ...(isQuick ? quick : {}), ...others };
}
