import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { signInByTicket } from '../../api/session.ts';

interface Exchange {
  state: 'under-way' | 'ended';
  error: unknown;
}

/** Exchanges a ticket for a session, once, even when React mounts the page twice. */
export function useTicket(ticket: string | null): Exchange {
  const queryClient = useQueryClient();
  const [exchange, setExchange] = useState<Exchange>({ state: ticket ? 'under-way' : 'ended', error: null });
  const asked = useRef<string | null>(null);

  useEffect(() => {
    if (!ticket || asked.current === ticket) return;
    asked.current = ticket;
    signInByTicket(ticket).then(
      (session) => {
        queryClient.setQueryData(sessionQuery.queryKey, session);
        setExchange({ state: 'ended', error: null });
      },
      (error: unknown) => setExchange({ state: 'ended', error }),
    );
  }, [ticket, queryClient]);

  return exchange;
}
