import { readStudies, studiesFolder, type StoredStudy } from '#controller/studies/read-studies.ts';
import { AppError } from '#core/app-error.ts';
import { judgeStudy } from '#cli/study/judge-study.ts';
import type { Measurements } from '#cli/study/study-measurements.ts';
import { formatFindingLines } from './format-findings.ts';
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
    const refusal = explainForeignRun(found, {
      evaluationName: run.evaluation.name,
      judged: judged?.name,
      taken: runs,
    });
    if (!found || refusal !== null) throw new AppError('invalid-input', `${file} ${refusal}`);
    judged = found.study;
    runs.set(found.part, run);
  }
  const results = judgeStudy(judged!, runs);
  process.stdout.write(
    json ? `${JSON.stringify({ study: judged!.name, ...results })}\n` : `${formatFindingLines(results)}\n`,
  );
}

/** Why a Run is not judged with those before it; null where it is. */
export function explainForeignRun(
  found: { study: Pick<StoredStudy, 'name'>; part: string } | undefined,
  before: { evaluationName: string; judged: string | undefined; taken: { has: (part: string) => boolean } },
): string | null {
  if (!found) return `has a Run of "${before.evaluationName}", which is no part of a study`;
  const { study, part } = found;
  if (before.judged !== undefined && before.judged !== study.name)
    return `belongs to the study "${study.name}", the first file to "${before.judged}": check one study at a time`;
  return before.taken.has(part) ? `is a second Run of the part "${part}": name one of them` : null;
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
