import { Skeleton, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogue } from '#core/metrics/index.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { outlineQuery } from '../../../api/outline-query.ts';
import { RowsSkeleton } from '../../../components/rows-skeleton.tsx';
import { OutlineTable } from './outline-table.tsx';

/** Most reports arrive earlier. A first answer would only flicker. */
const patienceMs = 700;

/** The first answer of a report, while the whole of it is computed: means from sums that are kept. */
export function OutlineView({ runId, from }: { runId: string; from: LatencyOrigin }) {
  const [isSlow, setIsSlow] = useState(false);
  useTimeout(() => setIsSlow(true), patienceMs, { autoInvoke: true });
  const outline = useQuery({ ...outlineQuery(runId), enabled: isSlow }).data;
  if (!outline) {
    return (
      <>
        <Skeleton height={72} />
        <Skeleton height={110} />
        <RowsSkeleton />
      </>
    );
  }
  return (
    <>
      <Text c="dimmed" aria-live="polite">
        {catalogue[outline.primaryMetric].label}
        {from === 'first-request' && ' from navigation start'}: first figures, from sums. The Controller is computing
        the full report, with reductions and intervals …
      </Text>
      <OutlineTable outline={outline} metric={outline.primaryMetric} label="First figures" />
    </>
  );
}
