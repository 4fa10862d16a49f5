import { randomUUID } from 'node:crypto';
import { orderArtefacts } from '#core/evaluation/artefact-givers.ts';
import { browserOf } from '#core/evaluation/browser/browser-of.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { JourneyLeg } from '#core/evaluation/journey/journey.ts';
import { listVisits } from '#core/evaluation/pages/list-visits.ts';
import { explainNoCapture, isIsolated } from '#core/evaluation/capture/explain-no-capture.ts';
import { PageLoadSchema, type PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { takesPart } from '#core/evaluation/scenarios/solo-scenarios.ts';
import { isInStep } from '#core/evaluation/rounds/repetition.ts';
import { tunnelInterface } from '#core/evaluation/network/tunnel-settings.ts';
import { type UserAgent, rhythmOf } from '#core/evaluation/users/user-agent.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { deriveGenerator } from '#core/statistics/derive-generator.ts';
import { longestDrawInMeans, type Rest } from '#core/evaluation/users/rest.ts';

interface OrderedRound {
  id: string;
  runId: string;
  /** Of the Run. */
  seed: number;
  block: number;
  evaluation: Evaluation;
  scenario: string;
  /** Of HTTPEP in this Round, where it ends TLS. */
  httpepKey?: string | undefined;
  /** Of the hosts that replay Sites. */
  origins?: readonly string[] | undefined;
}

/** Between the order to start and the start: long enough for the word to reach every Agent. */
export const startLeadMs = 500;

const prepareAtLeastMs = 120_000;
/** Per Visit, beyond its rest and its hard cap: for a context to open and close on a busy host. */
const visitSlackMs = 15_000;
/** A timer of more would end at once. https://nodejs.org/api/timers.html */
const longestTimerMs = 2 ** 31 - 1;

/** One User Agent's part of a Round, and who makes it. */
export interface OrderedPass {
  order: PassOrder;
  agent: string;
  /** How much later than the first it is to begin. */
  startOffsetMs: number;
}

/** The order of every User Agent's Pass of one Round. */
export function orderPasses(round: OrderedRound): OrderedPass[] {
  const { runId, evaluation } = round;
  const scenario = evaluation.scenarios.find((each) => each.name === round.scenario);
  if (!scenario) throw new Error(`Run ${runId} has no Scenario "${round.scenario}"`);

  return evaluation.userAgents.flatMap((userAgent, userIndex) =>
    !takesPart(scenario, userAgent.name)
      ? []
      : [
          {
            agent: userAgent.host,
            startOffsetMs: rhythmOf(evaluation, userAgent).startOffsetMs,
            order: {
              passId: randomUUID(),
              runId,
              roundId: round.id,
              scenario: scenario.name,
              userAgent: userAgent.name,
              engine: userAgent.engine,
              osUser: userAgent.osUser,
              sourceAddress: userAgent.sourceAddress,
              interface: userAgent.interface,
              ...(isIsolated(evaluation, userAgent) && { isIsolated: true }),
              ...(isInStep(evaluation.repetition) && { isInStep: true }),
              ...(scenario.network?.tunnel?.from === 'user' && { tunnelInterface }),
              ...orderVisits(round, { userAgent, userIndex, scenario }),
              browser: browserOf(scenario, round.httpepKey),
              ...(round.origins && { origins: [...round.origins] }),
              artefacts: orderArtefacts(evaluation.artefacts, {
                engine: userAgent.engine,
                isWarmUp: round.block === 0,
              }),
              capture: captureOf(evaluation, userAgent),
            },
          },
        ],
  );
}

/** A first request that comes later than this waits for something else than its engine. */
const longestLeadMs = 5_000;

/** Lets those begin earlier that take longer from the order to their first request, so that all first requests leave together. `delaysMs`: by User Agent; of one that is not known, nothing changes. */
export function alignFirstRequests<Pass extends OrderedPass>(
  passes: readonly Pass[],
  delaysMs: ReadonlyMap<string, number>,
): Pass[] {
  const delayOf = ({ order }: Pass) => Math.min(longestLeadMs, Math.max(0, delaysMs.get(order.userAgent) ?? 0));
  const longestMs = Math.max(...passes.filter(({ order }) => delaysMs.has(order.userAgent)).map(delayOf));
  return passes.map((pass) =>
    delaysMs.has(pass.order.userAgent)
      ? { ...pass, startOffsetMs: pass.startOffsetMs + longestMs - delayOf(pass) }
      : pass,
  );
}

/** What a User Agent is to load, and when. */
function orderVisits(
  { evaluation, seed, block }: OrderedRound,
  { userAgent, userIndex, scenario }: { userAgent: UserAgent; userIndex: number; scenario: Scenario },
): Pick<PassOrder, 'pageLoad' | 'visits'> {
  const { rest, visitsPerUrl } = rhythmOf(evaluation, userAgent);
  const isFixed = typeof rest === 'number';
  // The Agents know addresses, and no pages.
  const visits = listVisits(evaluation, userAgent, scenario).map(({ url, repetition, untilMark, replay, leg }) => ({
    url,
    repetition,
    ...(untilMark !== undefined && { untilMark }),
    ...(replay && { replay }),
    ...(leg && { leg }),
  }));
  const restsMs = drawRests(rest, { seed, block, userIndex }, visits.length);
  return {
    // What Visits count for is no affair of the Agents.
    pageLoad: PageLoadSchema.strip().parse({
      ...evaluation.pageLoad,
      ...(scenario.browser.cache && { cache: scenario.browser.cache }),
      visitsPerUrl,
      restMs: isFixed ? rest : 0,
    }),
    visits: isFixed ? visits : visits.map((visit, index) => ({ ...visit, restMs: restsMs[index]! })),
  };
}

function captureOf(evaluation: Evaluation, userAgent: UserAgent): PassOrder['capture'] {
  const { snapBytes, maxBytesPerPass, keepTraces } = evaluation.capture;
  return explainNoCapture(evaluation, userAgent) === null ? { snapBytes, maxBytesPerPass, keepTraces } : null;
}

/** Where in a Run the rests are taken. */
interface RestPlace {
  /** Of the Run. */
  seed: number;
  block: number;
  /** The position of the User Agent in the Evaluation. */
  userIndex: number;
}

/**
 * The rest before each Visit of a Pass, in whole ms. Think times are drawn from the seed, the Block and the User Agent: all Scenarios of a Block have the
 * same ones, so that Scenarios differ in what is compared alone, and a Round that is measured again repeats them. Before the first Visit nobody thinks.
 */
export function drawRests(rest: Rest, { seed, block, userIndex }: RestPlace, visits: number): number[] {
  if (typeof rest === 'number') return Array.from({ length: visits }, () => rest);
  const ofBlock = uniformInt(deriveGenerator(seed, block), -0x80000000, 0x7fffffff);
  const generator = deriveGenerator(ofBlock, userIndex);
  return Array.from({ length: visits }, (_, index) => {
    if (index === 0) return 0;
    const draw = -Math.log1p(-uniformFloat64(generator));
    return Math.round(rest.exponential * Math.min(draw, longestDrawInMeans));
  });
}

/** How long the Passes of a Round may take until all are ready, and from then until all have ended, in ms. */
export function limitPasses(passes: readonly OrderedPass[]): { prepareLimitMs: number; passLimitMs: number } {
  const limitOf = (pass: OrderedPass) => {
    const visitsMs = pass.order.visits.map((_, index) => limitVisit(pass, index) + restBefore(pass, index));
    return startLeadMs + pass.startOffsetMs + sumOf(visitsMs);
  };
  const pagesMs = limitPages(passes).map((limitMs) => startLeadMs + limitMs);
  return {
    // The rest before the first Visit is taken before the start.
    prepareLimitMs: prepareAtLeastMs + Math.max(...passes.map((pass) => restBefore(pass, 0))),
    passLimitMs: Math.min(longestTimerMs, Math.max(sumOf(pagesMs), ...passes.map(limitOf))),
  };
}

/** In step: how long after the start of each page the last User Agent may be past it and rested, in ms. None where each goes by itself. */
export function limitPages(passes: readonly OrderedPass[]): number[] {
  const inStep = passes.filter(({ order }) => order.isInStep);
  const pages = Math.max(0, ...inStep.map(({ order }) => order.visits.length));
  return Array.from({ length: pages }, (_, page) => {
    const limitsMs = inStep
      .filter(({ order }) => page < order.visits.length)
      .map((pass) => pass.startOffsetMs + limitVisit(pass, page) + restBefore(pass, page + 1));
    return Math.max(...limitsMs);
  });
}

/** None before a Visit that there is not. */
function restBefore({ order: { pageLoad, visits } }: OrderedPass, index: number): number {
  const visit = visits[index];
  return visit ? (visit.restMs ?? pageLoad.restMs) : 0;
}

/** Without its rest. */
function limitVisit({ order: { pageLoad, visits } }: OrderedPass, index: number): number {
  return pageLoad.timeoutMs + limitSteps(visits[index]!.leg, pageLoad) + visitSlackMs;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

/** What the steps of a journey may take beside the load of its page: as long as that, after what the navigation waits for. */
function limitSteps(leg: JourneyLeg | undefined, { timeoutMs }: Pick<PageLoad, 'timeoutMs'>): number {
  return leg ? timeoutMs + leg.lead.reduce((sum, step) => sum + step.timeoutMs, 0) : 0;
}
