import { useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '#core/access/role.ts';
import { sessionQuery } from '../api/queries.ts';

/** What whoever is signed in may do; a viewer's part until that is known. The Controller decides, the pages only say so early. */
export function useRole(): Role {
  return useQuery(sessionQuery).data?.role ?? 'viewer';
}

export function useMayDo(needed: Role): boolean {
  return includesRole(useRole(), needed);
}
