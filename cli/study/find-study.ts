import type { StoredStudy } from '#controller/studies/read-studies.ts';
import { AppError } from '#core/app-error.ts';
import type { StudyPart } from '#core/study/study.ts';

/** Throws `invalid-input`, with the names that there are. */
export function findStudy(studies: readonly StoredStudy[], name: string): StoredStudy {
  const found = studies.find((study) => study.name === name);
  if (found) return found;
  const known = studies.map((study) => study.name).join(', ');
  throw new AppError('invalid-input', `There is no study "${name}": write one of ${known}`);
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
