import path from 'node:path';
import { readStudies, studiesFolder, type StoredStudy } from '#controller/studies/read-studies.ts';
import { AppError } from '#core/app-error.ts';
import { listLoadedSites } from '#core/evaluation/pages/site-page.ts';
import { allSettled } from '#core/waiting.ts';
import { findHome } from '../installation.ts';
import type { ProgressStream } from '../progress/progress-printer.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { chooseStudies, planParts, type PlannedPart } from './plan-parts.ts';
import { runStudy, type RunStudyOptions, type StudySurroundings } from './run-study.ts';
import { mostAtOnce, trySideBySide } from './try-side-by-side.ts';

/**
 * Measures studies one after the other; with `all` and in full, several at a time where that changes no figure. One that cannot be measured does not keep others from it; the
 * last of their errors is thrown in the end.
 */
export async function runStudies(
  names: readonly string[],
  { all, output, ...options }: RunStudyOptions & { all?: true },
): Promise<void> {
  const isAll = all === true;
  const studies = chooseStudies(await readStudies(studiesFolder), { names, isAll });
  if (studies.length > 1 && (options.part !== undefined || options.set !== undefined))
    throw new AppError('invalid-input', '--part and --set are of one study: name one');
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const failures: unknown[] = [];
  let begun = 0;
  const run = async (study: StoredStudy, around: Omit<StudySurroundings, 'signal'>) => {
    begun += 1;
    if (studies.length > 1) process.stderr.write(`Study ${begun} of ${studies.length}: ${study.name}\n`);
    const folder = studies.length > 1 && output !== undefined ? path.join(output, study.name) : output;
    const own = { ...options, ...(folder !== undefined && { output: folder }) };
    try {
      await runStudy(study, own, { ...around, signal });
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
      if (studies.length > 1) process.stderr.write(`${study.name}: ${(error as Error).message}\n`);
    }
  };

  const isWhole = isAll && options.quick === undefined && options.rounds === undefined;
  const { together, remark } = isWhole ? await chooseTogether(studies, signal) : { together: [], remark: null };
  await runInTurn(studies, {
    together,
    run: (study) => run(study, { progress: process.stderr, remark: null }),
    runBeside: (study) => run(study, { progress: prefix(study.name), remark }),
  });
  if (failures.length > 0) throw failures.at(-1);
}

/** First those that are measured by themselves, one after the other, then those that are measured together, some at a time. */
export async function runInTurn<Study>(
  studies: readonly Study[],
  {
    together,
    run,
    runBeside,
  }: {
    together: readonly Study[];
    run: (study: Study) => Promise<void>;
    runBeside: (study: Study) => Promise<void>;
  },
): Promise<void> {
  for (const study of studies) if (!together.includes(study)) await run(study);
  const left = [...together];
  const runLeft = async () => {
    for (let study = left.shift(); study !== undefined; study = left.shift()) await runBeside(study);
  };
  await allSettled(Array.from({ length: mostAtOnce }, runLeft));
}

/** The studies that are measured side by side: those of one user, where a trial shows that it changes nothing. A browser records no Site while testbeds beside it come and go. */
async function chooseTogether(
  studies: readonly StoredStudy[],
  signal: AbortSignal,
): Promise<{ together: StoredStudy[]; remark: string | null }> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const { isSame, text } = await trySideBySide(studies, { homeFolder: findHome(process.env), say, signal });
  say(text);
  if (!isSame) {
    say('Studies are measured one after the other');
    return { together: [], remark: null };
  }
  const together: StoredStudy[] = [];
  for (const study of studies) {
    const parts = await planParts(study, study.parts, { isQuick: false });
    const isLight = ({ evaluation: { userAgents, urlLists } }: PlannedPart) =>
      userAgents.length === 1 && listLoadedSites(urlLists).length === 0;
    if (parts.every(isLight)) together.push(study);
  }
  say(
    `${together.length} studies of one user without recorded pages are measured ${mostAtOnce} at a time, after the others`,
  );
  return { together, remark: `It was measured beside up to two other studies. ${text}` };
}

/** The lines of several studies, each with the name of its own. */
function prefix(name: string): ProgressStream {
  return { write: (lines) => process.stderr.write(lines.replaceAll(/^(?=.)/gm, `${name}: `)) };
}
