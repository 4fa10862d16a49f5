import { Text } from '@mantine/core';
import { describeFinding, type LinkCheck } from '#core/protocol/link-check.ts';
import { describeTunnel } from '#core/protocol/tunnel-record.ts';
import { Term } from '../../components/terms/term.tsx';

/** What the emulated link was measured to do right before a Round, and the tunnel across it. */
export function LinkCheckLine({ check }: { check: LinkCheck }) {
  const isAsWritten = check.findings.every(({ isWithin }) => isWithin);
  return (
    <>
      <Text size="sm" c={isAsWritten ? 'dimmed' : 'var(--mantine-color-error)'}>
        <Term of="linkCheck">Link check</Term>, {check.profile} ({check.backend}):{' '}
        {check.findings.map(describeFinding).join(', ')}
      </Text>
      {check.tunnel && (
        <Text size="sm" c="dimmed">
          <Term of="tunnel">Tunnel</Term>: {describeTunnel(check.tunnel)}
        </Text>
      )}
    </>
  );
}
