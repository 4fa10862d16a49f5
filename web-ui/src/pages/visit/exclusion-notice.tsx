import { Alert, Text } from '@mantine/core';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { ExclusionForm } from './exclusion-form.tsx';

interface ExclusionNoticeProps {
  visit: VisitDetail;
  exclusion: NonNullable<VisitDetail['exclusion']>;
}

/** That a Visit is excluded from the statistics, by whom and why; and a form to include it again. */
export function ExclusionNotice({ visit, exclusion }: ExclusionNoticeProps) {
  return (
    <Alert color="yellow" variant="light" title="Excluded from the statistics">
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {exclusion.reason} ({exclusion.excludedBy}, {exclusion.excludedAt.slice(0, 10)})
      </Text>
      <ExclusionForm visit={visit} />
    </Alert>
  );
}
