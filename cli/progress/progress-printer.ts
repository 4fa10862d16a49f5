import { measuringMs } from '#core/protocol/api/run-summary.ts';
import { estimateTimeLeftMs, type RunDetail, type ScriptExecution } from '#core/protocol/api/run.ts';
import { showPlainly, formatRoughDuration } from '../plain-text.ts';
import { describeWaiting } from '#core/protocol/meeting.ts';

const maximumLines = 40;
const maximumLineCharacters = 500;

export interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Shows the progress of a Run: on a terminal one line that changes; elsewhere one line for each Round that ended. */
export class ProgressPrinter implements Disposable {
  readonly #stream: ProgressStream;
  #shown = '';
  #milestone = '';
  #seenScripts = 0;
  readonly #reportedRounds = new Set<string>();

  readonly #now: () => number;

  /** `now`: milliseconds since the epoch, for the time left. */
  constructor(stream: ProgressStream, now: () => number = Date.now) {
    this.#stream = stream;
    this.#now = now;
  }

  show(run: RunDetail): void {
    for (const script of run.scripts.slice(this.#seenScripts)) {
      for (const line of describeScriptFailure(script)) this.say(line);
    }
    this.#seenScripts = run.scripts.length;
    for (const round of run.rounds) {
      if (round.state !== 'broken' || this.#reportedRounds.has(round.id)) continue;
      this.#reportedRounds.add(round.id);
      this.say(
        `Round ${round.index + 1} (${round.scenario}), attempt ${round.attempt}, is broken: ${round.problem ?? 'no reason given'}`,
      );
    }
    // A line that stays is not about Visits that are under way.
    const line = describeProgress(run, { nowEpochMs: this.#now(), withVisits: this.#stream.isTTY === true });
    const milestone = `${run.state} ${run.roundsCompleted} ${run.missingAgents.join()} ${run.diskProblem ?? ''}`;
    if (this.#stream.isTTY) this.#replaceLine(line);
    else if (milestone !== this.#milestone) this.#stream.write(`${line}\n`);
    this.#milestone = milestone;
  }

  /** A line that stays. */
  say(line: string): void {
    const progress = this.#shown;
    this.#replaceLine('');
    this.#stream.write(`${showPlainly(line)}\n`);
    this.#replaceLine(progress);
  }

  /** Leaves the last line standing. */
  [Symbol.dispose](): void {
    if (this.#shown !== '') this.#stream.write('\n');
    this.#shown = '';
  }

  #replaceLine(line: string): void {
    const shown = line.slice(0, Math.max(20, (this.#stream.columns ?? 80) - 1));
    if (!this.#stream.isTTY || shown === this.#shown) return;
    this.#shown = shown;
    this.#stream.write(`\r\u001B[2K${this.#shown}`);
  }
}

/** In lines, what a set-up or tear-down script that failed has printed, the end where it is long; none for one that did not fail. */
function describeScriptFailure(execution: ScriptExecution): string[] {
  const { phase, output } = execution;
  const start = phase === 'process' ? describeLoss(execution) : describeStatus(execution);
  if (start === null) return [];
  if (output.trim() === '') return [`${start} and printed nothing`];
  const lines = output.trimEnd().split('\n');
  const what = lines.length > maximumLines ? `the last ${maximumLines} lines of its output` : 'its output';
  return [
    `${start}; ${what}:`,
    ...lines.slice(-maximumLines).map((line) => `  | ${line.slice(0, maximumLineCharacters)}`),
  ];
}

function describeLoss({ name, host, problem }: ScriptExecution): string | null {
  return problem === undefined ? null : `The process "${name}" on host "${host}" ${problem}`;
}

function describeStatus({ phase, host, exitCode, isTimedOut }: ScriptExecution): string | null {
  if (exitCode === 0) return null;
  const how = isTimedOut ? 'timed out' : exitCode === null ? 'did not run' : `ended with status ${exitCode}`;
  return `The ${phase} script on host "${host}" ${how}`;
}

/** The progress of a Run, in one line; with how many Visits each User Agent has made, unless `withVisits` is false. */
export function describeProgress(
  run: RunDetail,
  { nowEpochMs, withVisits = true }: { nowEpochMs: number; withVisits?: boolean },
): string {
  const start = `Run ${run.id}`;
  if (run.state === 'pending') {
    const waiting = describeWaiting(run.waitsFor);
    return showPlainly(`${start}: waiting for ${waiting ?? 'its turn'}`);
  }
  const count = `${run.roundsCompleted} of ${run.roundsPlanned} Rounds, ${describeVisits(run)}${describeTimeLeft(run, nowEpochMs)}`;
  if (run.state !== 'running') return `${start} ${run.state === 'stopping' ? 'is stopping' : run.state}: ${count}`;
  if (run.missingAgents.length > 0)
    return showPlainly(`${start}: waiting for the Agents ${run.missingAgents.join(', ')}`);

  if (run.diskProblem !== null) return showPlainly(`${start}: ${count}; waiting. ${run.diskProblem}`);

  const current = run.rounds.findLast(({ state }) => state !== 'completed' && state !== 'broken');
  if (!current) return `${start}: ${count}${run.pausedAt ? '; paused' : ''}`;
  const block = current.warmUp ? 'warm-up' : `Block ${current.block}`;
  const attempt = current.attempt > 1 ? `, attempt ${current.attempt}` : '';
  const passes = current.passes.map(
    ({ userAgent, visitsMade, visitsExpected }) => `${userAgent} ${visitsMade}/${visitsExpected}`,
  );
  const now = withVisits ? `: ${passes.join(', ') || current.state}` : '';
  return showPlainly(
    `${start}: ${count}; ${block}, ${current.scenario}${attempt}${now}${run.pausedAt ? '; paused after this Round' : ''}`,
  );
}

/** Those that were uploaded, and those of the Rounds under way. */
function describeVisits({ visits, failedVisits, rounds }: RunDetail): string {
  const underWay = rounds
    .filter(({ state }) => state === 'running')
    .flatMap(({ passes }) => passes)
    .reduce((sum, { visitsMade }) => sum + visitsMade, 0);
  const count = visits + underWay;
  return `${count} ${count === 1 ? 'Visit' : 'Visits'}${failedVisits > 0 ? ` (${failedVisits} failed)` : ''}`;
}

function describeTimeLeft(run: RunDetail, nowEpochMs: number): string {
  const elapsedMs = measuringMs(run, nowEpochMs);
  const leftMs = run.state !== 'running' || elapsedMs === null ? null : estimateTimeLeftMs(run, elapsedMs);
  return leftMs === null ? '' : `, about ${formatRoughDuration(leftMs)} left`;
}
