import { Text } from '@mantine/core';

interface ErrorTextProps {
  /** Nothing where all is right. */
  error: string | null | undefined;
  size?: 'xs' | 'sm';
  role?: 'alert';
}

/** What is wrong where no field can say so. */
export function ErrorText({ error, size = 'sm', role }: ErrorTextProps) {
  if (!error) return null;
  return (
    <Text size={size} c="var(--mantine-color-error)" {...(role && { role })}>
      {error}
    </Text>
  );
}
