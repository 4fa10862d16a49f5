import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { describeWaiting } from '#core/run-queue/meeting.ts';
import { fetchVisitPage } from '../../../../api/reports.ts';
import { fetchRun } from '../../../../api/run-requests.ts';
import { isOpen, visitQuery } from '../../../../api/queries.ts';
import { problemOf } from '../../../../api/problem-error.ts';
import { Facts } from '../../../../components/facts.tsx';
import { TrustCertificate } from './trust-certificate.tsx';
import { formatMs } from '../../../../format/format-ms.ts';

const pollMs = 1000;

/** The result of a try: the latencies, or why there are none. `url` was loaded on `host`. */
export function TryOutcome({ runId, url, host }: { runId: string; url: string; host: string }) {
  const { data: run, error } = useQuery({
    queryKey: ['tries', runId],
    queryFn: ({ signal }) => fetchRun(runId, signal),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data.state) ? false : pollMs),
  });
  const waiting = describeWaiting(run?.waitsFor ?? []);
  const isOver = run !== undefined && !isOpen(run.state);
  const { data: page } = useQuery({
    queryKey: ['tries', runId, 'visits'],
    queryFn: ({ signal }) =>
      fetchVisitPage({ runId, scenario: null, url: null, userAgent: null }, { after: null, signal }),
    enabled: isOver,
  });
  const visit = page?.visits[0];
  // Only the Visit itself says more than its code.
  const { data: failure } = useQuery({ ...visitQuery(visit?.id ?? ''), enabled: visit?.status === 'failed' });
  return (
    <div role="status">
      {error && <Text size="sm">{problemOf(error).message}</Text>}
      {!isOver && (
        <Text size="sm" c="dimmed">
          {run?.state === 'pending' ? (
            <>
              {waiting === null ? 'Waiting to start' : `Waiting for ${waiting}`}: see{' '}
              <Anchor component={Link} to="/runs" inherit underline="always">
                Runs
              </Anchor>
            </>
          ) : (
            'Loading …'
          )}
        </Text>
      )}
      {isOver && !visit && page && (
        <Text size="sm">{run.problem ?? run.rounds.map(({ problem }) => problem).find(Boolean) ?? 'No result.'}</Text>
      )}
      {visit && visit.status === 'failed' && (
        <Text size="sm" c="var(--mantine-color-error)">
          Failed: {visit.code}
          {failure?.detail && `, ${failure.detail}`}
        </Text>
      )}
      {visit?.status === 'failed' && visit.code === 'tls-failure' && <TrustCertificate url={url} host={host} />}
      {visit && visit.status === 'ok' && (
        <Facts
          facts={[fact('Base page', visit.baseMs), fact('Viewport', visit.viewportMs), fact('Total', visit.totalMs)]}
        />
      )}
      {isOver && (
        <Anchor component={Link} to={`/runs/${runId}`} size="sm">
          Run {runId}
        </Anchor>
      )}
    </div>
  );
}

function fact(label: string, valueMs: number | null) {
  return { label, value: valueMs === null ? 'not known' : formatMs(valueMs) };
}
