import type { RunDetail } from '#core/protocol/api/run.ts';
import { showPlainly } from '../show-plainly.ts';
import { describeProgress } from './describe-progress.ts';
import { describeScriptFailure } from './describe-script-failure.ts';

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
