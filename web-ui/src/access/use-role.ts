import { useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '#core/protocol/role.ts';
import { sessionQuery } from '../api/queries.ts';

/** What a person with the role may do, in words. */
export const roleAbility: Record<Role, string> = {
  viewer: 'Sees Evaluations, Runs, Comparisons and hosts. Changes nothing.',
  evaluator: 'Also changes Evaluations and runs them, adds and revokes hosts, creates tokens.',
  admin:
    'Does everything an evaluator does. Also invites people, ends sessions and tokens of others, and reads the audit log.',
};

/** The role of the signed-in person; viewer until it is known. The Controller decides what a role may do; the pages only show it early. */
export function useRole(): Role {
  return useQuery(sessionQuery).data?.role ?? 'viewer';
}

export function useMayDo(needed: Role): boolean {
  return includesRole(useRole(), needed);
}
