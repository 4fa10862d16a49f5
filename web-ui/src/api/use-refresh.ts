import { useQueryClient, type QueryKey } from '@tanstack/react-query';

/** Has what these queries show read again, after a change of it. */
export function useRefresh(...keys: QueryKey[]): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
