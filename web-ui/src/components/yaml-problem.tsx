import { Alert, Text, UnstyledButton } from '@mantine/core';
import type { Problem } from '#core/protocol/api/problem.ts';
import classes from './yaml-problem.module.css';

interface YamlProblemProps {
  problem: Problem;
  onGoTo: (line: number) => void;
}

/** Why a text was refused: every field that is wrong, with a way to its line. */
export function YamlProblem({ problem, onGoTo }: YamlProblemProps) {
  const { issues } = problem;
  return (
    <Alert color="red" variant="light" role="alert" title={issues.length === 0 ? 'Not stored' : `Not stored: ${issues.length === 1 ? 'one thing is' : `${issues.length} things are`} wrong`}>
      {issues.length === 0 && <Text size="sm">{problem.message}</Text>}
      <ul className={classes.issues}>
        {issues.map((issue, index) => (
          <li key={index} className={classes.issue}>
            {issue.line === null ? (
              <span />
            ) : (
              <UnstyledButton className={classes.line} onClick={() => onGoTo(issue.line!)} type="button">
                line {issue.line}
              </UnstyledButton>
            )}
            <span>
              {issue.path && <code className={classes.path}>{issue.path}</code>} {issue.message}
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
