import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { Session } from '#core/protocol/api/access.ts';
import { sessionQuery } from '../../api/queries.ts';

/** Sends what lets somebody in: the session that is answered is theirs from then on. */
export function useEntering<Credentials>(
  enter: (credentials: Credentials) => Promise<Session>,
  onDone: () => void,
): UseMutationResult<Session, Error, Credentials> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: enter,
    meta: { showsProblem: true },
    onSuccess: (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      onDone();
    },
  });
}
