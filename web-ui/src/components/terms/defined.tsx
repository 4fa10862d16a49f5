import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './term.module.css';

/** A word with its definition one hover (or focus) away. */
export function Defined({ definition, children }: { definition: string; children: ReactNode }) {
  return (
    <Tooltip label={definition}>
      <span className={classes.term} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}
