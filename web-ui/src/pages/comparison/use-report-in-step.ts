import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import { methodQuery, wireQuery } from '../../api/queries.ts';
import { useIsOffline } from '../../components/report-place.ts';

/** The Comparison of a Run under way is requested repeatedly. The wire, the method and the measurements below it are requested again with each Round that it counts. */
export function useReportInStep({ runId, runState, roundsCounted, roundsBroken, warmUpRounds }: Comparison): void {
  const client = useQueryClient();
  const isOffline = useIsOffline();
  useEffect(() => {
    if (isOffline) return;
    void client.invalidateQueries(wireQuery(runId));
    void client.invalidateQueries(methodQuery(runId));
    void client.invalidateQueries({ queryKey: ['runs', runId, 'measurements'] });
  }, [client, isOffline, runId, runState, roundsCounted, roundsBroken, warmUpRounds]);
}
