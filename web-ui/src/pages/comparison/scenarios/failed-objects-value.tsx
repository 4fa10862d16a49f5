import { Text, Tooltip } from '@mantine/core';
import { failedObjectsRules, type FailedObjectsRule } from '#core/evaluation/failed-objects-rule.ts';
import type { ScenarioFailedObjects } from '#core/comparison/failed-objects/failed-objects.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { VisitsLink } from '../../../components/run/visits-link.tsx';
import { formatCount } from '../../../format/format-count.ts';
import { formatNumber } from '../../../format/format-number.ts';

/** How many objects failed under a Scenario, and below that how many of them other Visits of their page received. */
export function FailedObjectsValue({
  runId,
  counts,
  rule,
}: {
  runId: string;
  counts: ScenarioFailedObjects | undefined;
  rule: FailedObjectsRule;
}) {
  if (!counts || counts.visits === 0) return <AbsentValue reason="No Visit has a known number of failed objects." />;
  const { failedObjects, lostObjects, lossyVisits, visits, unknownVisits } = counts;
  return (
    <>
      {failedObjects === 0 ? (
        formatNumber(0)
      ) : (
        <VisitsLink
          filter={{ runId, scenario: counts.scenario, status: 'failed-objects' }}
          label={`${formatCount(failedObjects, 'failed object')} under ${counts.scenario}`}
        >
          {formatNumber(failedObjects)}
        </VisitsLink>
      )}
      {lossyVisits > 0 && (
        <Tooltip
          label={`${formatNumber(lossyVisits)} of ${formatCount(visits, 'Visit')} lost objects that other Visits of their page received. For each such Visit, ${failedObjectsRules[rule]}.`}
        >
          <Text size="xs" c="var(--mantine-color-error)" tabIndex={0}>
            {formatNumber(lostObjects)} lost in {formatCount(lossyVisits, 'Visit')}
          </Text>
        </Tooltip>
      )}
      {lossyVisits === 0 && failedObjects > 0 && (
        <Text size="xs" c="dimmed">
          in every Visit of their page
        </Text>
      )}
      {unknownVisits > 0 && (
        <Text size="xs" c="dimmed">
          not known for {formatCount(unknownVisits, 'Visit')}
        </Text>
      )}
    </>
  );
}
