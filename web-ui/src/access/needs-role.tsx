import { Tooltip } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import type { Role } from '#core/protocol/role.ts';
import classes from './needs-role.module.css';
import { useMayDo, useRole } from './use-role.ts';

interface NeedsRoleProps {
  role: Role;
  children: ReactNode;
}

/** Controls that need a role. A person with a lesser role sees them disabled, with the reason. */
export function NeedsRole({ role, children }: NeedsRoleProps) {
  const own = useRole();
  if (useMayDo(role)) return children;
  return (
    <Tooltip label={`This needs the role “${role}”. Your role is “${own}”. An admin can change it in Settings.`}>
      <fieldset
        disabled
        tabIndex={0}
        className={classes.refused}
        onClickCapture={refuse}
        aria-label={`Needs the role ${role}`}
      >
        {children}
      </fieldset>
    </Tooltip>
  );
}

/** A disabled fieldset disables buttons and fields; a link in it has to be held back. */
function refuse(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
