import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { makeEnrolmentLink } from '#core/protocol/enrolment-link.ts';
import { sessionQuery } from '../../api/queries.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { joinCommand } from './join-command.ts';

interface EnrolmentInstructionsProps {
  name: string;
  token: string;
  isExtension: boolean;
  allowsScripts: boolean;
  isConnected: boolean;
}

/** What to do at the host with a new token, and whether it has come of it. */
export function EnrolmentInstructions({
  name,
  token,
  isExtension,
  allowsScripts,
  isConnected,
}: EnrolmentInstructionsProps) {
  const { data: session } = useQuery(sessionQuery);
  const controller = session?.publicUrl ?? window.location.origin;
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(controller).hostname);
  const code = isExtension
    ? makeEnrolmentLink({ controllerUrl: controller, token, name })
    : joinCommand({ controller, token, name, allowsScripts });
  return (
    <Stack>
      <Text size="sm">
        {isExtension
          ? 'Paste this link into the options of the HTTP-AE extension in that browser, and press Enrol. '
          : 'Run this in a clone of HTTP-AE on that machine. '}
        Only an Agent named <strong>{name}</strong> can use its token. It is shown only once.
      </Text>
      <CopyableCode code={code} />
      {isLocal && (
        <Text size="sm" c="dimmed">
          {controller} works on this machine only. For other machines, start the Controller with{' '}
          <code>--host 0.0.0.0 --public-url</code> and its address.
        </Text>
      )}
      <div aria-live="polite">
        <StateDot
          state={isConnected ? 'good' : 'active'}
          label={isConnected ? `${name} is connected` : `Waiting for ${name} to connect`}
        />
      </div>
    </Stack>
  );
}
