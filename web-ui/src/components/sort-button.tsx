import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './sort-button.module.css';

export type SortOrder = 'none' | 'ascending' | 'descending';

interface SortButtonProps {
  order: SortOrder;
  onClick: () => void;
  /** Needed where the button shows only its arrow. */
  label?: string;
  children?: ReactNode;
}

/** Sorts a table by one column. The heading around it has `aria-sort`. */
export function SortButton({ order, onClick, label, children }: SortButtonProps) {
  return (
    <UnstyledButton className={classes.sort} onClick={onClick} aria-label={label}>
      {children}
      <span className={`${classes.arrow} no-print`} aria-hidden="true">
        {order === 'none' ? '↕' : order === 'ascending' ? '↑' : '↓'}
      </span>
    </UnstyledButton>
  );
}
