import { UnstyledButton } from '@mantine/core';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { useEditor } from '../editor/editor-context.ts';
import classes from './plan-summary.module.css';
import { useEstimate } from './run-estimate.tsx';
import { roundLimits } from '#core/evaluation/rounds/repetition.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { formatCount } from '../../../format/format-numbers.ts';
import { formatDuration } from '../../../format/format-times.ts';
import { countPlan } from '../count-plan.ts';
import { checkReadiness } from './check-readiness.ts';

/** How much a Run would measure and how long, beside the button that starts it, and the way to the details; nothing while the Evaluation is not valid. */
export function PlanSummary({ onShow }: { onShow: () => void }) {
  const { evaluation } = useEditor();
  return evaluation && <ValidPlan evaluation={evaluation} onShow={onShow} />;
}

function ValidPlan({ evaluation, onShow }: { evaluation: Evaluation; onShow: () => void }) {
  const { data } = useEstimate(evaluation);
  return (
    <UnstyledButton className={classes.plan} onClick={onShow}>
      {summarizePlan(evaluation, data)}
    </UnstyledButton>
  );
}

/** A Run in a few words: `72 Visits, more than 32 s`. Visits that fill caches are counted as its page counts them. Without an estimate, only its Visits. */
export function summarizePlan(evaluation: Evaluation, estimate: EstimateAnswer | undefined): string {
  const { minRounds, maxRounds } = roundLimits(evaluation.repetition);
  const { visits, cacheFillingVisits } = countPlan(evaluation);
  const count = formatCount(visits + cacheFillingVisits, 'Visit');
  const words = minRounds < maxRounds ? `at most ${count}` : count;
  return estimate ? `${words}, ${describeTime(estimate)}` : words;
}

function describeTime(estimate: EstimateAnswer): string {
  return estimate.kind === 'estimated'
    ? `about ${formatDuration(estimate.durationMs)}`
    : `more than ${formatDuration(estimate.leastDurationMs)}`;
}

/** How many problems and warnings a Run of this Evaluation would have, and the way to them; nothing where there are none, or the Evaluation is not valid yet. */
export function ReadinessSummary({ onShow }: { onShow: () => void }) {
  const { evaluation, agents } = useEditor();
  if (!evaluation || !agents) return null;
  const states = checkReadiness(evaluation, agents).map(({ state }) => state);
  const missing = states.filter((state) => state === 'missing').length;
  const warnings = states.filter((state) => state === 'limited').length;
  if (missing + warnings === 0) return null;
  const parts = [
    missing > 0 && formatCount(missing, 'problem'),
    warnings > 0 && formatCount(warnings, 'warning'),
  ].filter((part) => part !== false);
  return (
    <UnstyledButton className={classes.readiness} data-state={missing > 0 ? 'missing' : 'limited'} onClick={onShow}>
      {parts.join(', ')} before the Run
    </UnstyledButton>
  );
}
