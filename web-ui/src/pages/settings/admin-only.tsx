import type { ReactNode } from 'react';
import { useMayDo, useRole } from '../../access/use-role.ts';
import { EmptyState } from '../../components/empty-state.tsx';

/** What only an admin sees; others see a notice. `what`: as in "Admins see …". */
export function AdminOnly({ what, children }: { what: string; children: ReactNode }) {
  const role = useRole();
  if (useMayDo('admin')) return children;
  return (
    <EmptyState title="Only for admins">
      Admins see {what}. Your role is {role}; an admin can change it.
    </EmptyState>
  );
}
