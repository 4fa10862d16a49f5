import { describeShare, shareArtefacts } from '../../core/evaluation/artefact-givers.ts';
import { isInStep } from '../../core/evaluation/rounds/repetition.ts';
import { urlsOf } from '../../core/evaluation/rounds/expand-evaluation.ts';
import { rhythmOf } from '../../core/evaluation/users/user-agent.ts';
import type { RunDetail } from '../../core/protocol/api/run.ts';
import type { LinkFinding } from '../../core/protocol/link-check.ts';
import type { RunMethod } from '../../core/record/run-method.ts';

const maximumBrokenRounds = 200;

interface MeasuredRun
  extends
    Pick<RunDetail, 'evaluation' | 'startedAt' | 'endedAt' | 'labels'>,
    Pick<RunMethod, 'added' | 'beside' | 'metricsVersions' | 'engineVersions' | 'httpVersions'> {
  rounds: readonly Pick<
    RunDetail['rounds'][number],
    'block' | 'scenario' | 'warmUp' | 'attempt' | 'state' | 'problem' | 'linkCheck'
  >[];
}

/** How a Run was measured, from all of its progress. */
export function describeMethod(
  {
    evaluation,
    startedAt,
    endedAt,
    labels,
    added,
    beside,
    rounds,
    metricsVersions,
    engineVersions,
    httpVersions,
  }: MeasuredRun,
  controllerVersion: string,
): RunMethod {
  const baseline = evaluation.scenarios.find(({ baseline: isBaseline }) => isBaseline)?.browser;
  const broken = rounds.filter(({ state }) => state === 'broken');
  return {
    metricsVersions,
    controllerVersion,
    startedAt,
    endedAt,
    labels,
    added,
    beside,
    description: evaluation.description,
    order: evaluation.repetition.order,
    isInStep: isInStep(evaluation.repetition),
    pageLoad: {
      ...evaluation.pageLoad,
      cache: baseline?.cache ?? evaluation.pageLoad.cache,
      viewport: baseline?.viewport ?? evaluation.pageLoad.viewport,
    },
    warmUp: evaluation.repetition.warmUp,
    userAgents: evaluation.userAgents.map((userAgent) => {
      const { name, engine, host, userClass } = userAgent;
      const { rest, ...rhythm } = rhythmOf(evaluation, userAgent);
      return { name, engine, host, userClass: userClass ?? null, ...rhythm, restMs: rest };
    }),
    repeatedPages: listRepeated(evaluation),
    artefacts: shareArtefacts(evaluation).map(describeShare),
    engineVersions,
    httpVersions,
    brokenRounds: broken
      .slice(0, maximumBrokenRounds)
      .map(({ block, scenario, attempt, problem }) => ({ block, scenario, attempt, problem })),
    brokenRoundsInAll: broken.length,
    linkChecks: evaluation.scenarios.flatMap(({ name }) => summarizeChecks(name, rounds)),
    networkFigures: evaluation.scenarios.flatMap(({ name }) => summarizeNetwork(name, rounds)),
    tunnels: evaluation.scenarios.flatMap(({ name }) => {
      const tunnel = countedRounds(name, rounds).at(-1)?.linkCheck?.tunnel;
      return tunnel ? [{ scenario: name, ...tunnel }] : [];
    }),
  };
}

function summarizeChecks(scenario: string, rounds: MeasuredRun['rounds']): RunMethod['linkChecks'] {
  const findings = countedRounds(scenario, rounds).flatMap(
    ({ linkCheck }) => linkCheck?.findings.map((finding) => ({ ...finding, profile: linkCheck.profile })) ?? [],
  );
  return [...Map.groupBy(findings, ({ segment = '', figure }) => `${segment} ${figure}`).values()].map((own) => ({
    scenario,
    ...summarizeFindings(own),
  }));
}

function summarizeNetwork(scenario: string, rounds: MeasuredRun['rounds']): RunMethod['networkFigures'] {
  const figures = countedRounds(scenario, rounds).flatMap(({ linkCheck }) => linkCheck?.during ?? []);
  return [...Map.groupBy(figures, ({ figure }) => figure).values()].map((own) => {
    const { figure, unit } = own[0]!;
    return { scenario, figure, unit, ...summarize(own.flatMap(({ value }) => value ?? [])) };
  });
}

function listRepeated(evaluation: MeasuredRun['evaluation']): RunMethod['repeatedPages'] {
  const lists = new Set(evaluation.userAgents.map(({ urlList }) => urlList));
  const repeated = [...lists].flatMap((list) => urlsOf(evaluation, list)).filter(({ visits }) => visits > 1);
  return [...Map.groupBy(repeated, ({ visits }) => visits)].map(([visits, pages]) => ({
    visits,
    pages: pages.length,
    first: pages[0]!.label,
  }));
}

function countedRounds(scenario: string, rounds: MeasuredRun['rounds']): MeasuredRun['rounds'] {
  return rounds.filter((round) => round.scenario === scenario && round.state === 'completed' && !round.warmUp);
}

function summarizeFindings(
  findings: (LinkFinding & { profile: string })[],
): Omit<RunMethod['linkChecks'][number], 'scenario'> {
  const { profile, segment, figure, unit, expected } = findings[0]!;
  return {
    profile,
    ...(segment && { segment }),
    figure,
    unit,
    expected,
    ...summarize(findings.flatMap((finding) => finding.measured ?? [])),
    outside: findings.filter(({ isWithin }) => !isWithin).length,
  };
}

function summarize(
  measured: number[],
): Pick<RunMethod['networkFigures'][number], 'rounds' | 'mean' | 'smallest' | 'largest'> {
  const isKnown = measured.length > 0;
  return {
    rounds: measured.length,
    mean: isKnown ? measured.reduce((sum, value) => sum + value, 0) / measured.length : null,
    smallest: isKnown ? Math.min(...measured) : null,
    largest: isKnown ? Math.max(...measured) : null,
  };
}
