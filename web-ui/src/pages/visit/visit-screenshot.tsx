import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { screenshotPath } from '../../api/visit-requests.ts';
import { Section } from '../../components/section.tsx';
import classes from './waterfall.module.css';

/** What the viewport showed after the Visit was measured, or why there is no picture. Nothing where none was requested. */
export function VisitScreenshot({ visit: { id, screenshot } }: { visit: VisitDetail }) {
  const [isMissing, setMissing] = useState(false);
  if (screenshot === null) return null;
  const absence =
    screenshot.kind === 'absent'
      ? screenshot.reason
      : isMissing
        ? 'Its Agent has not uploaded it yet, or it was removed to make room.'
        : null;
  return (
    <Section title="Screenshot">
      {absence === null ? (
        <Anchor href={screenshotPath(id)} target="_blank" rel="noopener">
          <img
            className={classes.shot}
            src={screenshotPath(id)}
            alt="The viewport after the Visit was measured"
            onError={() => setMissing(true)}
          />
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          No picture: {absence}
        </Text>
      )}
    </Section>
  );
}
