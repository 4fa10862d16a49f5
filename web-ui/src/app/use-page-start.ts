import { useEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * A page that was gone to begins at its top, with the keyboard and the screen reader at its content. Going back keeps the place,
 * which the browser remembers.
 */
export function usePageStart<Content extends HTMLElement>(): RefObject<Content | null> {
  const content = useRef<Content>(null);
  const shown = useRef<string | null>(null);
  const { pathname } = useLocation();
  const isGoingBack = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    const isFirst = shown.current === null;
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (isFirst || isGoingBack) return;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname, isGoingBack]);

  return content;
}
