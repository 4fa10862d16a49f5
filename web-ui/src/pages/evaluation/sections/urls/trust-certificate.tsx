import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { fetchCertificate } from '../../../../api/tries.ts';
import { problemOf } from '../../../../api/problem-error.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { listTrustChanges } from './list-trust-changes.ts';

/** Shows the certificate that a browser refused, and trusts it in all Scenarios once the evaluator says so. */
export function TrustCertificate({ url, host }: { url: string; host: string }) {
  const { input, change } = useEditor();
  const { data: certificate, error } = useQuery({
    queryKey: ['certificates', host, url],
    queryFn: ({ signal }) => fetchCertificate({ url, host }, signal),
    retry: false,
    staleTime: Infinity,
  });
  if (error) return <Text size="sm">{problemOf(error).message}</Text>;
  if (!certificate) return null;
  const changes = listTrustChanges(input, certificate.trustedKey);
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Its certificate is for {certificate.subject}, by {certificate.issuer}, valid until{' '}
        {certificate.validUntil.slice(0, 10)}. Public key: {certificate.trustedKey}
      </Text>
      {changes.length > 0 ? (
        <Button size="compact-sm" variant="default" onClick={() => change(changes)}>
          Trust this certificate in all Scenarios
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          All Scenarios trust it.
        </Text>
      )}
    </Stack>
  );
}
