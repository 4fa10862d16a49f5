import { UnstyledButton } from '@mantine/core';
import { formatCount } from '../../../format/format-numbers.ts';
import { useEditor } from '../editor/editor-context.ts';
import classes from './readiness-summary.module.css';
import { checkReadiness } from './check-readiness.ts';

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
    <UnstyledButton className={classes.summary} data-state={missing > 0 ? 'missing' : 'limited'} onClick={onShow}>
      {parts.join(', ')} before the Run
    </UnstyledButton>
  );
}
