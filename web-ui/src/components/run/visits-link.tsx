import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { VisitFilter } from '../../api/reports.ts';
import { visitsAddress } from '../../api/visit-search.ts';
import { useIsAlone } from '../report-place.ts';

interface VisitsLinkProps {
  filter: Pick<VisitFilter, 'runId'> & Partial<VisitFilter>;
  label?: string;
  children: ReactNode;
}

/** Leads to the Visits that a figure counts; plain text where they cannot be requested. */
export function VisitsLink({ filter, label, children }: VisitsLinkProps) {
  if (useIsAlone()) return children;
  return (
    <Anchor component={Link} to={visitsAddress(filter)} c="inherit" inherit underline="always" aria-label={label}>
      {children}
    </Anchor>
  );
}
