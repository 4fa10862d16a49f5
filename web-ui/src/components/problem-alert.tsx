import { Alert, Button, Group, Text } from '@mantine/core';
import { problemOf } from '../api/request.ts';

interface ProblemAlertProps {
  error: unknown;
  /** Where no heading above says it. */
  title?: string;
  onRetry?: () => void;
}

/** An error in the Controller's words, and a button to try again. */
export function ProblemAlert({ error, title, onRetry }: ProblemAlertProps) {
  const { message, issues } = problemOf(error);
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Text size="sm">{message}</Text>
      {issues.map((issue, index) => (
        <Text size="sm" key={index}>
          <strong>{issue.path}</strong> {issue.message}
        </Text>
      ))}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
