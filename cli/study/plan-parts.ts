import { createHash } from 'node:crypto';
import { writeEvaluation, type StoredStudy } from '#controller/studies/read-studies.ts';
import { AppError } from '#core/app-error.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { parseYaml } from '#core/input/parse-yaml.ts';
import { valuesOf } from '#core/study/fill-values.ts';
import type { StudyPart, StudyValues } from '#core/study/study-definition.ts';

/** The studies of these names, in this order; with `isAll` all. Throws `invalid-input`, with the names that there are. */
export function chooseStudies(
  studies: readonly StoredStudy[],
  { names, isAll }: { names: readonly string[]; isAll: boolean },
): StoredStudy[] {
  if (isAll === names.length > 0) throw new AppError('invalid-input', 'Name at least one study, or write --all');
  if (isAll) return [...studies];
  return names.map((name) => {
    const found = studies.find((study) => study.name === name);
    if (found) return found;
    const known = studies.map((study) => study.name).join(', ');
    throw new AppError('invalid-input', `There is no study "${name}": write one of ${known}`);
  });
}

/** The parts of these names, in the order of the study; all without names. Throws `invalid-input`, with the names that there are. */
export function chooseParts({ name, parts }: StoredStudy, wanted: readonly string[] | undefined): StudyPart[] {
  if (wanted === undefined) return parts;
  const known = parts.map((part) => part.name);
  const unknown = wanted.find((each) => !known.includes(each));
  if (unknown !== undefined)
    throw new AppError('invalid-input', `--part: "${name}" has no part "${unknown}": write one of ${known.join(', ')}`);
  return parts.filter((part) => wanted.includes(part.name));
}

/** A part as it is measured. */
export interface PlannedPart {
  name: string;
  yaml: string;
  evaluation: Evaluation;
  /** Of the YAML text: a Run of another text is another Run. */
  evaluationSha256: string;
  minutes: number;
  programs: readonly string[];
  users: number;
}

/** `others`: values that win over those of the study. Throws `invalid-input` where a part is no Evaluation. */
export async function planParts(
  study: StoredStudy,
  parts: readonly StudyPart[],
  { isQuick, others = {} }: { isQuick: boolean; others?: StudyValues },
): Promise<PlannedPart[]> {
  for (const name of Object.keys(others)) refuseUnknownValue(study, name);
  return Promise.all(
    parts.map(async (part) => {
      const yaml = await writeEvaluation(study, part, valuesOf(study, part, { isQuick, others }));
      const parsed = parseYaml(yaml, EvaluationSchema);
      if (parsed.kind !== 'valid') throw new Error(`${study.name}, ${part.name}: it was valid when it was written`);
      return {
        name: part.name,
        yaml,
        evaluation: parsed.value,
        evaluationSha256: createHash('sha256').update(yaml).digest('hex'),
        minutes: isQuick ? part.quickMinutes : part.minutes,
        programs: part.programs,
        users: part.users,
      };
    }),
  );
}

function refuseUnknownValue({ name: study, values, parts }: StoredStudy, name: string): void {
  const known = new Set([values, ...parts.map((part) => part.values)].flatMap((each) => Object.keys(each)));
  if (known.has(name)) return;
  throw new AppError(
    'invalid-input',
    `--set: "${study}" has no value "${name}": write one of ${[...known].join(', ')}`,
  );
}
