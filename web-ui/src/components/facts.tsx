import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  label: ReactNode;
  value: ReactNode;
  /** Whether a reader should not miss it. */
  isAlarming?: boolean;
}

/** A row of small figures, each under its name. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value, isAlarming = false }, index) => (
        <div key={index} className={classes.fact}>
          <dt className={classes.label}>{label}</dt>
          <dd className={classes.value} data-alarming={isAlarming}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
