import { Text } from '@mantine/core';
import classes from './state-dot.module.css';

interface StateDotProps {
  state: 'good' | 'bad' | 'idle' | 'active';
  label: string;
}

/** A state in one word; the dot before it only repeats the word in colour. */
export function StateDot({ state, label }: StateDotProps) {
  return (
    <Text span size="sm" className={classes.state} data-state={state}>
      {label}
    </Text>
  );
}
