import { readStudies, studiesFolder, type StoredStudy } from '#controller/studies/read-studies.ts';
import { AppError } from '#core/app-error.ts';
import { judgeStudy } from '#cli/study/judge-study.ts';
import type { Measurements } from '#cli/study/study-measurements.ts';
import { formatFindingLines } from './format-finding-lines.ts';
import { gatherMeasurements } from './gather-part.ts';
import { planParts } from './plan-parts.ts';

/** Judges a study by bundles of its parts. Throws `invalid-input` for a bundle of no study, or of two. */
export async function checkBundles(files: readonly string[], { json }: { json?: true }): Promise<void> {
  const partsByName = await listParts();
  const runs = new Map<string, Measurements>();
  let judged: StoredStudy | null = null;
  for (const file of files) {
    const run = await gatherMeasurements(file);
    const found = partsByName.get(run.evaluation.name);
    if (!found)
      throw new AppError('invalid-input', `${file} has a Run of "${run.evaluation.name}", which is no part of a study`);
    if (judged !== null && judged.name !== found.study.name)
      throw new AppError(
        'invalid-input',
        `${file} belongs to the study "${found.study.name}", the first file to "${judged.name}": check one study at a time`,
      );
    if (runs.has(found.part))
      throw new AppError('invalid-input', `${file} is a second Run of the part "${found.part}": name one of them`);
    judged = found.study;
    runs.set(found.part, run);
  }
  const results = judgeStudy(judged!, runs);
  process.stdout.write(
    json ? `${JSON.stringify({ study: judged!.name, ...results })}\n` : `${formatFindingLines(results)}\n`,
  );
}

/** By the name of its Evaluation, which no two share. */
async function listParts(): Promise<Map<string, { study: StoredStudy; part: string }>> {
  const parts = new Map<string, { study: StoredStudy; part: string }>();
  for (const study of await readStudies(studiesFolder)) {
    for (const { name, evaluation } of await planParts(study, study.parts, { isQuick: false }))
      parts.set(evaluation.name, { study, part: name });
  }
  return parts;
}
