import type { PassProgress } from '../run-control.ts';

/** How far the Passes of the Run under way are, from the words that Agents send between Visits. It is for watchers only, and is not stored. */
export class LiveProgress {
  private readonly passes = new Map<string, PassProgress>();

  record(passId: string, visit: { sequence: number; url: string; totalMs: number | null }): void {
    this.passes.set(passId, { visitsMade: visit.sequence + 1, lastUrl: visit.url, lastTotalMs: visit.totalMs });
  }

  of(passId: string): PassProgress | null {
    return this.passes.get(passId) ?? null;
  }

  clear(): void {
    this.passes.clear();
  }
}
