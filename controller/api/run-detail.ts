import { urlAfter } from '#core/evaluation/url-after.ts';
import { hostsOfAll } from '#core/evaluation/hosts-of.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import type { RoundView } from '../db/round-views.ts';
import { findStorageProblem } from '../artefacts/find-storage-problem.ts';
import { findRunView, type RunView } from '../db/run-views.ts';
import { explainNoCaptureOfPass } from './explain-no-capture-of-pass.ts';
import type { Services } from './services.ts';

const openStates = new Set(['pending', 'running', 'stopping']);
const passStatesUnderWay = new Set(['ordered', 'ready', 'running', 'ended']);

/** A Run as stored, together with what connected Agents have reported of it since; null when there is none of this id. */
export async function readRunDetail(
  {
    pool,
    disk,
    storeWatch,
    runControl,
    agents,
  }: Pick<Services, 'pool' | 'disk' | 'storeWatch' | 'runControl' | 'agents'>,
  runId: string,
): Promise<RunDetail | null> {
  const view = await findRunView(pool, runId);
  if (!view) return null;
  return {
    ...view,
    rounds: view.rounds.map((round) => withProgress(inOrderOf(view.evaluation, round), view.evaluation, runControl)),
    diskProblem: isOpen(view) ? await findStorageProblem({ disk, storeWatch }, view.evaluation) : null,
    missingAgents: isOpen(view) ? await findMissing(view, agents) : [],
  };
}

export function isOpen(run: Pick<RunDetail, 'state'>): boolean {
  return openStates.has(run.state);
}

function withProgress(
  round: RoundView,
  evaluation: RunView['evaluation'],
  runControl: Services['runControl'],
): RunDetail['rounds'][number] {
  return {
    ...round,
    passes: round.passes.map(({ capture, ...pass }) => {
      const told = passStatesUnderWay.has(pass.state) ? runControl.passProgress(pass.id) : null;
      const visitsMade = Math.max(pass.visitsMade, told?.visitsMade ?? 0);
      return {
        ...pass,
        visitsMade,
        currentUrl:
          pass.state === 'running' ? urlAfter(evaluation, { ...pass, scenario: round.scenario, visitsMade }) : null,
        lastUrl: told?.lastUrl ?? null,
        lastTotalMs: told?.lastTotalMs ?? null,
        captureAbsence: capture
          ? capture.absence
          : explainNoCaptureOfPass({ evaluation, userAgent: pass.userAgent, isBroken: round.state === 'broken' }),
      };
    }),
  };
}

/** The Passes as the Evaluation lists their User Agents. */
function inOrderOf({ userAgents }: RunView['evaluation'], round: RoundView): RoundView {
  const places = new Map(userAgents.map(({ name }, place) => [name, place]));
  const placeOf = ({ userAgent }: RoundView['passes'][number]) => places.get(userAgent) ?? places.size;
  return { ...round, passes: round.passes.toSorted((one, other) => placeOf(one) - placeOf(other)) };
}

/** Which Agents of a Run are connected to no Controller. */
async function findMissing({ evaluation }: RunView, agents: Services['agents']): Promise<string[]> {
  const away = hostsOfAll(evaluation).filter((agent) => !agents.isConnected(agent));
  if (away.length === 0) return [];
  const elsewhere = await agents.listElsewhere();
  return away.filter((agent) => !elsewhere.has(agent));
}
