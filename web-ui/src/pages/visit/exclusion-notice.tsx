import { Alert, Text } from '@mantine/core';
import type { VisitDetail } from '#core/protocol/api/visit.ts';
import { ExclusionForm } from './exclusion-form.tsx';

interface ExclusionNoticeProps {
  visit: VisitDetail;
  exclusion: NonNullable<VisitDetail['exclusion']>;
}

/** That a Visit is left out of the statistics, by whom and why; and a way to let it count again. */
export function ExclusionNotice({ visit, exclusion }: ExclusionNoticeProps) {
  return (
    <Alert color="yellow" variant="light" title="Left out of the statistics">
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {exclusion.reason} ({exclusion.excludedBy}, {exclusion.excludedAt.slice(0, 10)})
      </Text>
      <ExclusionForm visit={visit} />
    </Alert>
  );
}
