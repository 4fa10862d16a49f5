import { summarizeOutcome, type VisitOutcome } from '#core/protocol/visit.ts';
import { initialState, readAgentState, writeAgentState, type AgentState } from '../agent-state/agent-state.ts';
import type { HeldPass } from './passes/held-pass.ts';
import type { Spool } from './spool.ts';

const shownVisits = 5;

/** Keeps what the popup shows. Changes are written one after the other, so that the last is the last. */
export class StateBoard {
  readonly #spool: Spool;
  #state = initialState;
  #written: Promise<void>;

  constructor(spool: Spool) {
    this.#spool = spool;
    this.#written = this.#restore();
    this.showWaiting();
  }

  /** A refusal is kept until the browser ends, also while the background sleeps. */
  async isRefused(): Promise<boolean> {
    await this.#written;
    return this.#state.link === 'refused';
  }

  showLink(link: AgentState['link'], problem: string | null = null): void {
    this.#change(() => ({ link, problem }));
  }

  showPass({ order, sequence }: HeldPass, { url, outcome }: { url: string | null; outcome?: VisitOutcome }): void {
    const { userAgent, scenario, visits } = order;
    const ended = outcome ? [{ url: visits[sequence - 1]!.url, ...summarizeOutcome(outcome) }] : [];
    this.#change(({ lastVisits, waitingCount }) => ({
      pass: { userAgent, scenario, url, visitsEnded: sequence, visitsOrdered: visits.length },
      lastVisits: [...ended, ...lastVisits].slice(0, shownVisits),
      // Counted without the spool, all of which would be read while the next page loads.
      waitingCount: waitingCount + ended.length,
    }));
  }

  showChanges(changes: string[]): void {
    this.#change(() => ({ changes }));
  }

  showRest(): void {
    this.#change(() => ({ pass: null, changes: [] }));
  }

  showWaiting(): void {
    this.#change(async () => ({ waitingCount: await this.#spool.countWaiting() }));
  }

  #change(change: (state: AgentState) => Partial<AgentState> | Promise<Partial<AgentState>>): void {
    const written = this.#written.then(async () => {
      this.#state = { ...this.#state, ...(await change(this.#state)) };
      await writeAgentState(this.#state);
    });
    // The next change shows this one too.
    this.#written = written.catch((error: unknown) => console.error('The state could not be shown', error));
  }

  async #restore(): Promise<void> {
    const { link, problem, lastVisits } = await readAgentState();
    this.#state = { ...initialState, lastVisits, ...(link === 'refused' && { link, problem }) };
  }
}
