import { Container, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ShareSecretSchema } from '#core/protocol/api/share.ts';
import { sharedQuery } from '../../api/share-requests.ts';
import { ReportPlace } from '../../components/report-place.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { formatTime } from '../../format/format-times.ts';
import { ComparisonPage } from '../comparison/comparison-page.tsx';
import classes from './shared-page.module.css';

/** What a shared link opens: one Comparison, without the places around it. The fragment of the address is the secret. */
export function SharedPage() {
  const location = useLocation();
  const navigate = useNavigate();
  const [secret] = useState(() => ShareSecretSchema.safeParse(location.hash.slice(1)).data ?? null);

  // A choice of what to show changes the address without its fragment. A reload and a bookmark need it.
  useEffect(() => {
    if (secret !== null && location.hash === '')
      void navigate({ search: location.search, hash: secret }, { replace: true, preventScrollReset: true });
  }, [secret, location, navigate]);

  return (
    <Container component="main" size={1240} py="lg" className={classes.page}>
      {secret === null ? (
        <>
          <PageHeader title="Shared Comparison" />
          <EmptyState title="This link is incomplete">
            The end of the address is missing. Copy the whole link, or ask for a new one.
          </EmptyState>
        </>
      ) : (
        <Opened secret={secret} />
      )}
    </Container>
  );
}

function Opened({ secret }: { secret: string }) {
  const query = useQuery(sharedQuery(secret));
  return (
    <>
      {!query.data && <PageHeader title="Shared Comparison" />}
      <QueryContent query={query} what="The shared Comparison">
        {({ runId, expiresAt }) => (
          <>
            <Text size="sm" c="dimmed">
              Shared by HTTP-AE, to read only. The link works until {formatTime(expiresAt)}.
            </Text>
            <ReportPlace value="shared">
              <ComparisonPage runId={runId} />
            </ReportPlace>
          </>
        )}
      </QueryContent>
    </>
  );
}
