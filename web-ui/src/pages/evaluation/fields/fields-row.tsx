import type { ReactNode } from 'react';
import classes from './fields-row.module.css';

/** Fields beside each other, as many as there is room for. `least`: the width that each needs. */
export function FieldsRow({ children, least = '9rem' }: { children: ReactNode; least?: string }) {
  return (
    <div className={classes.row} style={{ '--least': least }}>
      {children}
    </div>
  );
}
