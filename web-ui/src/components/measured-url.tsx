import { Anchor, Text } from '@mantine/core';

/** A URL that was measured. It comes from files and pages, so it becomes a link only when it leads to the web. */
export function MeasuredUrl({ url, label = url }: { url: string; label?: string }) {
  if (!isWebUrl(url))
    return (
      <Text span inherit>
        {label}
      </Text>
    );
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={url}
      inherit
      c="inherit"
      underline="hover"
      style={{ overflowWrap: 'anywhere' }}
    >
      {label}
    </Anchor>
  );
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}
