import type { JourneyLeg } from '#core/evaluation/journey/journey.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { OrderedPass } from './order-passes.ts';

/** Between the order to start and the start: long enough for the word to reach every Agent. */
export const startLeadMs = 500;
/** The same where it goes by the database to another Controller. */
export const longStartLeadMs = 1_500;

const prepareMs = 120_000;
/** Per Visit, beyond its rest and its hard cap: for a context to open and close on a busy host. */
const visitSlackMs = 15_000;
/** A timer of more would end at once. https://nodejs.org/api/timers.html */
const longestTimerMs = 2 ** 31 - 1;

/** What the steps of a journey may take beside the load of its page: as long as that, after what the navigation waits for. */
function limitSteps(leg: JourneyLeg | undefined, { timeoutMs }: Pick<PageLoad, 'timeoutMs'>): number {
  return leg ? timeoutMs + leg.lead.reduce((sum, step) => sum + step.timeoutMs, 0) : 0;
}

/** How long the Passes of a Round may take until all are ready, and from then until all have ended, in ms. */
export function limitPasses(passes: readonly OrderedPass[]): { prepareLimitMs: number; passLimitMs: number } {
  const restBefore = ({ order: { pageLoad, visits } }: OrderedPass, index: number) =>
    visits[index]!.restMs ?? pageLoad.restMs;
  const limitOf = (pass: OrderedPass) => {
    const { pageLoad, visits } = pass.order;
    const visitsMs = visits.map(
      ({ leg }, index) => pageLoad.timeoutMs + limitSteps(leg, pageLoad) + restBefore(pass, index) + visitSlackMs,
    );
    return startLeadMs + pass.startOffsetMs + visitsMs.reduce((sum, each) => sum + each, 0);
  };
  return {
    // The rest before the first Visit is taken before the start.
    prepareLimitMs: prepareMs + Math.max(...passes.map((pass) => restBefore(pass, 0))),
    passLimitMs: Math.min(longestTimerMs, Math.max(...passes.map(limitOf))),
  };
}
