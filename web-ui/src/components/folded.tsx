import type { ReactNode } from 'react';
import classes from './folded.module.css';

interface FoldedProps {
  summary: ReactNode;
  /** Where it is not folded, only its content is there. */
  isFolded?: boolean;
  children: ReactNode;
}

/** What is read on request. A link to a place within it opens it, and paper shows it. */
export function Folded({ summary, isFolded = true, children }: FoldedProps) {
  if (!isFolded) return children;
  return (
    <details className={classes.folded}>
      <summary>{summary}</summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
}

/** Several of them, beside each other while they are folded. */
export function FoldedRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>;
}
