import { useSearchParams } from 'react-router';

/** What a list shows is in the address: it can be shared, and stays when the page is left and entered again. A null removes its part. */
export function useAddress(): [URLSearchParams, (parts: Record<string, string | null>) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (parts: Record<string, string | null>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(parts)) {
          if (value === null || value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      // At once: of what is typed fast, the next letter would begin from what was there before this one.
      { replace: true, preventScrollReset: true, flushSync: true },
    );
  return [search, change];
}
