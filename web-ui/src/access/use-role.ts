import { useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '#core/access/role.ts';
import { sessionQuery } from '../api/queries.ts';

/** The role of the signed-in person; viewer until it is known. The Controller decides what a role may do; the pages only show it early. */
export function useRole(): Role {
  return useQuery(sessionQuery).data?.role ?? 'viewer';
}

export function useMayDo(needed: Role): boolean {
  return includesRole(useRole(), needed);
}
