import type { GroundUserCounter } from '../counters/counter-help.ts';

/** Counts something of the user that asks. */
export type CountOfUser = (name: GroundUserCounter, by?: number) => void;
