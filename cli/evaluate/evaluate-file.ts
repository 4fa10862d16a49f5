import { AppError } from '#core/app-error.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import { quantity } from '#core/comparison/checks/check.ts';
import { describeGroups } from '#core/comparison/compared-group.ts';
import { expandDocument } from '#core/evaluation/evaluation-document.ts';
import type { KeptEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { concludeRun, requireWait, type ConclusionOptions } from '../assertions/conclude-run.ts';
import { checkAssertions } from '../assertions/judge-assertion.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient, ProblemError } from '../controller/controller-client.ts';
import { followRun } from '../progress/follow-run.ts';
import { findHome } from '../installation.ts';
import { readTextFile } from '#httpep/command/read-text-file.ts';
import { showPlainly, formatRoughDuration } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { JourneySchema, type Journey } from '#core/evaluation/journey/journey.ts';
import { parseStorable } from '#core/input/parse-yaml.ts';
import { inlineFiles, inlineRateTraces } from './inline-files.ts';
import { guessSite, nameSites, uploadSite } from './upload-sites.ts';
import { catalogue } from '#core/metrics/index.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';

const endings = {
  fixed: 'as many as the Evaluation says',
  target: 'until the target is reached',
  'max-rounds': 'the most that the Evaluation allows: not every mean reaches its target',
  'time-budget': 'as many as the time budget allows: not every mean reaches its target',
} as const;

/** The fewest that show how much they vary. */
const pilotRounds = 3;

const advice = 'name a YAML file with an Evaluation';
const adviceOfRecording =
  'journey.file must name a recording of Chrome’s Recorder, exported as JSON, by its path from the YAML file';

export interface EvaluateOptions extends ControllerOptions, ConclusionOptions {
  estimate?: true;
  /** Runs a few Rounds first, where nothing shows how long one takes. */
  pilot?: true;
  /** Another Evaluation, though one of this name is stored. */
  new?: true;
  /** The stored one that the file is a version of. */
  evaluation?: string;
  label: RunLabels;
  verbose?: true;
}

/** Runs the Evaluation in a YAML file, which is stored unless it is already, or estimates what that would take. Throws `invalid-input`, with every fault's line, and `run-failed`. */
export async function evaluateFile(file: string, options: EvaluateOptions): Promise<void> {
  await requireWait(options);
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const text = await inlineJourneys(await inlineRateTraces(await readTextFile(file, advice), file), file);
  const client = new ControllerClient(await findController(options, findHome(process.env)), signal);
  // An estimate stores nothing, and needs no recording.
  const isStored = !options.estimate || options.pilot === true;
  const yaml = await nameSites(text, file, (site) => (isStored ? uploadSite(client, site) : guessSite(client, site)));
  if (options.estimate) {
    const known = await explainFaults(() => client.estimateRun(yaml, options.evaluation), file);
    const estimate =
      known.kind === 'needs-pilot' && options.pilot ? await runPilot(client, yaml, { ...options, signal }) : known;
    process.stdout.write(options.json ? `${JSON.stringify(estimate)}\n` : `${describeEstimate(estimate)}\n`);
    return;
  }
  const kept = await explainFaults(() => keep(client, yaml, options), file);
  const { id, document } = kept.evaluation;
  if (options.assert.length > 0) {
    const { scenarios } = expandDocument(document);
    const names = scenarios.map(({ name }) => name);
    checkAssertions(
      options.assert,
      { scenarios: names, ...describeGroups(scenarios) },
      `Evaluation ${id} is stored; no Run was started.`,
    );
  }
  process.stderr.write(`${describeKept(kept)}\n`);
  const { id: run } = await client.startRun(id, options.label);
  process.stderr.write(`Run ${run} of "${showPlainly(document.name)}" is queued\n`);
  await concludeRun(client, { run, evaluationName: document.name }, { ...options, signal });
}

/** The estimate after a Run of a few Rounds, which is stored as any Run is. */
async function runPilot(
  client: ControllerClient,
  yaml: string,
  options: EvaluateOptions & { signal: AbortSignal },
): Promise<EstimateAnswer> {
  const kept = await keep(client, yaml, options);
  process.stderr.write(`${describeKept(kept)}\n`);
  const { id: run, evaluationName } = await client.startRun(kept.evaluation.id, options.label, pilotRounds);
  process.stderr.write(
    `Run ${run} of "${showPlainly(evaluationName)}" is queued, a pilot of ${pilotRounds} Rounds of each Scenario\n`,
  );
  await followRun(client, run, { stream: process.stderr, signal: options.signal });
  return client.estimateRun(yaml, kept.evaluation.id);
}

async function keep(
  client: ControllerClient,
  yaml: string,
  { new: isNew, evaluation }: Pick<EvaluateOptions, 'new' | 'evaluation'>,
): Promise<KeptEvaluation> {
  if (!isNew) return client.keepEvaluation(yaml, evaluation);
  return { kind: 'new', evaluation: await client.createEvaluation(yaml), namesakes: 0 };
}

/** Which Evaluation the Run is of: its trend has the Runs before it. */
function describeKept({ kind, evaluation: { id, version }, namesakes }: KeptEvaluation): string {
  if (kind === 'new') return `Stored as Evaluation ${id}`;
  if (kind === 'changed') return `Evaluation ${id} has changed: the file is version ${version} of it`;
  return `Evaluation ${id}${namesakes > 1 ? `, the newest of ${namesakes} of this name that is the same as the file,` : ' is the same as the file and'} gets another Run`;
}

/** Asks the Controller; lists each fault of the Evaluation with its place in the file. */
async function explainFaults<T>(ask: () => Promise<T>, file: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.issues.length === 0) throw error;
    const faults = error.problem.issues.map(({ line, path, message }) =>
      [`${file}${line === null ? '' : `:${line}`}`, path, showPlainly(message)].filter(Boolean).join(': '),
    );
    throw new AppError('invalid-input', `${faults.join('\n')}\nNothing was stored.`, { cause: error });
  }
}

/** Puts the recording of each file that a `journey: { file: PATH }` of a YAML text names in its place. */
export function inlineJourneys(yaml: string, yamlFile: string): Promise<string> {
  return inlineFiles(yaml, yamlFile, { key: 'journey', content: 'steps', read: readRecording });
}

/** A recording of Chrome’s Recorder, exported as JSON. Throws `invalid-input`. */
export async function readRecording(file: string): Promise<Journey> {
  const recording = readJson(await readTextFile(file, adviceOfRecording), file);
  const parsed = parseStorable(recording, JourneySchema);
  if (parsed.kind === 'valid') return parsed.value;
  const { path, message } = parsed.issues[0]!;
  throw new AppError('invalid-input', `${file}: ${path.join('.')} ${message}`);
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid-input', `${file} is no JSON (${(cause as Error).message}): ${adviceOfRecording}`, {
      cause,
    });
  }
}

/** Rounds and time of a Run before it begins, for people. */
function describeEstimate(estimate: EstimateAnswer): string {
  if (estimate.kind === 'needs-pilot') {
    const { reason, leastDurationMs } = estimate;
    return `${showPlainly(reason)}.\nIt takes at least about ${formatRoughDuration(leastDurationMs)} for the pauses before and after Visits alone.\nWith --pilot this command runs ${pilotRounds} Rounds first.`;
  }
  const { rounds, durationMs, endsBy, slowest, unknownCells, basis } = estimate;
  const lines = [
    `About ${quantity(rounds, 'Round')} of each Scenario (${endings[endsBy]}) in about ${formatRoughDuration(durationMs)}.`,
    slowest &&
      `${catalogue[slowest.metric].label} of ${slowest.url} by ${slowest.userAgent} in ${slowest.scenario} needs the most: ${quantity(slowest.rounds, 'Round')}.`,
    unknownCells > 0 && `The spread of ${quantity(unknownCells, 'mean')} is unknown.`,
    `Based on Run ${basis.runId} with ${quantity(basis.blocks, 'Block')}${basis.isSameConfiguration ? '' : '. The Evaluation has changed since that Run: this is a rough guess'}.`,
  ];
  return lines
    .filter((line) => typeof line === 'string')
    .map(showPlainly)
    .join('\n');
}
