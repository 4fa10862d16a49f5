import { UnstyledButton } from '@mantine/core';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { useEditor } from '../editor/editor-context.ts';
import classes from './plan-summary.module.css';
import { summarizePlan } from './summarize-plan.ts';
import { useEstimate } from './use-estimate.ts';

/** How much a Run would measure and how long, beside the button that starts it, and the way to the details; nothing while the Evaluation is not valid. */
export function PlanSummary({ onShow }: { onShow: () => void }) {
  const { evaluation, evaluationId } = useEditor();
  return evaluation && <ValidPlan evaluation={evaluation} evaluationId={evaluationId} onShow={onShow} />;
}

function ValidPlan({ onShow, ...plan }: { evaluation: Evaluation; evaluationId: string | null; onShow: () => void }) {
  const { data } = useEstimate(plan);
  return (
    <UnstyledButton className={classes.plan} onClick={onShow}>
      {summarizePlan(plan.evaluation, data)}
    </UnstyledButton>
  );
}
