import { useSearchParams } from 'react-router';

const key = 'open';

/** The dialogs that Find leads to. */
export const addRoundsDialog = 'add-rounds';
export const shareDialog = 'share';

/** The end of an address at which the dialog of this name is open. */
export const dialogSearch = (name: string) => `?${new URLSearchParams({ [key]: name }).toString()}`;

/** A dialog that the address opens, so that Find leads to it; opened by a button, it is in the address as well. */
export function useDialogInAddress(name: string): [isOpen: boolean, { open: () => void; close: () => void }] {
  const [search, setSearch] = useSearchParams();
  const put = (value: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null) after.delete(key);
        else after.set(key, value);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return [search.get(key) === name, { open: () => put(name), close: () => put(null) }];
}
