import { describeShare, shareArtefacts } from '#core/evaluation/artefact-givers.ts';
import { artefactEngines, filmCostMs } from '#core/evaluation/artefact-settings.ts';
import { explainNoCapture } from '#core/evaluation/capture/explain-no-capture.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { formatCount } from '../../../format/format-numbers.ts';
import { formatDuration } from '../../../format/format-times.ts';
import { countPlan } from '../count-plan.ts';

/** One thing that a Run needs. `missing`: the Run would fail or wait without end; `limited`: it measures less than requested; `without`: possible, but not requested. */
export interface Readiness {
  state: 'ready' | 'without' | 'limited' | 'missing';
  text: string;
  /** What to do; empty when ready. */
  fix: string;
}

export type AgentOf = (host: string) => AgentSummary | undefined;

/** Whose packets are captured, and what else is recorded of each Visit. */
export function checkRecording(evaluation: Evaluation, agentOf: AgentOf): Readiness[] {
  return [...checkCapture(evaluation, agentOf), ...checkArtefacts(evaluation)];
}

function checkCapture(evaluation: Evaluation, agentOf: AgentOf): Readiness[] {
  if (!evaluation.capture.enabled) return [];
  const without = evaluation.userAgents.filter((userAgent) => explainNoCapture(evaluation, userAgent) !== null);
  const local = evaluation.userAgents
    .filter((userAgent) => !without.includes(userAgent) && isPageOnHost(evaluation, userAgent, agentOf(userAgent.host)))
    .map(({ name }) => name);
  if (local.length > 0)
    return [
      {
        state: 'limited',
        text: `Pages of ${local.join(', ')} are at their own host, so their packets are not captured`,
        fix: 'Such packets pass no network interface. Load pages of another host, or measure over an emulated link.',
      },
    ];
  if (without.length === 0) return [{ state: 'ready', text: 'Packets of every User Agent are captured', fix: '' }];
  const count = evaluation.userAgents.length;
  const isAsked = evaluation.userAgents.some(
    ({ osUser, sourceAddress }) => osUser !== undefined || sourceAddress !== undefined,
  );
  const whose = without.length === count ? 'no User Agent' : `${count - without.length} of ${count} User Agents`;
  return [
    {
      state: isAsked ? 'limited' : 'without',
      text: `Packets of ${whose} are captured`,
      fix: 'Isolate User Agents under “Capture and artefacts” (their Agent must be root on Linux), or give each its own OS user and source address.',
    },
  ];
}

/** Whether a page of a User Agent is at an address of the host itself, and the User Agent not behind an emulated link. Names other than `localhost` are not known. */
function isPageOnHost(
  { urlLists, scenarios }: Evaluation,
  { urlList, interface: chosen }: Evaluation['userAgents'][number],
  agent: AgentSummary | undefined,
): boolean {
  if (chosen === 'lo' || scenarios.every(({ network }) => network)) return false;
  const own = new Set(agent?.facts.interfaces.flatMap(({ addresses }) => addresses));
  return (urlLists[urlList] ?? []).some(({ url }) => {
    const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
    return host === 'localhost' || host.startsWith('127.') || host === '::1' || own.has(host);
  });
}

/** Who can give what is to be recorded of each Visit. */
function checkArtefacts(evaluation: Evaluation): Readiness[] {
  return shareArtefacts(evaluation).map((share): Readiness => {
    const text = `${describeShare(share)}${share.artefact === 'filmstrip' ? describeFilmCost(evaluation) : ''}`;
    if (share.rounds === 'none')
      return { state: 'limited', text, fix: 'Turn on the warm-up Block under Repetition, or film each Visit.' };
    if (share.others.length === 0) return { state: 'ready', text, fix: '' };
    return { state: 'limited', text, fix: `For those of all, choose ${artefactEngines[share.artefact].join(' or ')}.` };
  });
}

/** `. 120 filmed Visits, about 3 s longer in all. No figure includes them`. */
function describeFilmCost(evaluation: Evaluation): string {
  const { filmedVisits } = countPlan(evaluation);
  if (filmedVisits === 0) return '';
  const costMs = filmedVisits * filmCostMs;
  const cost = costMs < 1000 ? 'less than 1 s' : `about ${formatDuration(costMs)}`;
  const counts =
    evaluation.artefacts.filmstrip === 'warm-up' ? 'No figure includes them' : 'Figures include a part of it';
  return `. ${formatCount(filmedVisits, 'filmed Visit')}, ${cost} longer in all. ${counts}`;
}
