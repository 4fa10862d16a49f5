import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { goToPlace } from '../../components/go-to-place.ts';

/** A link within the page. It does not change the address, which holds the current view. */
export function PlaceLink({ place, children }: { place: string; children: ReactNode }) {
  return (
    <Anchor
      href={`#${place}`}
      c="inherit"
      inherit
      underline="always"
      onClick={(event) => {
        event.preventDefault();
        goToPlace(place);
      }}
    >
      {children}
    </Anchor>
  );
}
