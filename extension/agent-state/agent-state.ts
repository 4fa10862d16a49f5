import { z } from 'zod';
import browser from 'webextension-polyfill';

/** What the popup shows, as the background last reported it. */
export const AgentStateSchema = z.object({
  link: z.enum(['not-enrolled', 'connecting', 'connected', 'refused']),
  /** Why it is not connected, and what to do. */
  problem: z.string().nullable(),
  /** Null while no Pass is held. `url`: null between Visits. */
  pass: z
    .object({
      userAgent: z.string(),
      scenario: z.string(),
      url: z.string().nullable(),
      visitsEnded: z.number(),
      visitsOrdered: z.number(),
    })
    .nullable(),
  /** What of the browser is other than the person has it, until the Visit is over. */
  changes: z.array(z.string()).default([]),
  /** Visits that the Controller has not acknowledged. */
  waitingCount: z.number(),
  /** The latest first. `totalMs`: the total page load latency, null where absent; `code`: why it failed, null where it did not. */
  lastVisits: z.array(z.object({ url: z.string(), totalMs: z.number().nullable(), code: z.string().nullable() })),
});
export type AgentState = z.infer<typeof AgentStateSchema>;

const key = 'agentState';

export const initialState: AgentState = {
  link: 'connecting',
  problem: null,
  pass: null,
  changes: [],
  waitingCount: 0,
  lastVisits: [],
};

/** Kept until the browser ends, also while the background sleeps. */
export async function readAgentState(): Promise<AgentState> {
  const stored = await browser.storage.session.get(key);
  return AgentStateSchema.safeParse(stored[key]).data ?? initialState;
}

export function writeAgentState(state: AgentState): Promise<void> {
  return browser.storage.session.set({ [key]: state });
}

/** Calls back with every change. */
export function watchAgentState(onChange: (state: AgentState) => void): void {
  browser.storage.session.onChanged.addListener((changes) => {
    const state = AgentStateSchema.safeParse(changes[key]?.newValue).data;
    if (state) onChange(state);
  });
}
