import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { loadPage } from '../../api/load-page.ts';
import { findKey, nameFindKey, paletteListId } from './find-key.ts';

const Palette = lazy(async () => ({ default: (await loadPage(() => import('./palette.tsx'))).Palette }));

/** Opens the palette by key or button. Its code is loaded with the first use. */
export function PaletteLauncher() {
  const [uses, setUses] = useState(0);
  const open = () => setUses((before) => before + 1);
  useHotkeys(
    [
      [
        findKey,
        () => {
          // Another dialog may hold what is shown only once, such as a token. The palette may still be fading out.
          if (!document.querySelector(`[role="dialog"]:not(:has(#${paletteListId}))`)) open();
        },
      ],
    ],
    [], // also while a field has the focus
    true,
  );
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        onClick={open}
        title={nameFindKey()}
        aria-keyshortcuts="Control+K Meta+K"
      >
        Find
      </Button>
      {uses > 0 && (
        <Suspense>
          <Palette uses={uses} />
        </Suspense>
      )}
    </>
  );
}
