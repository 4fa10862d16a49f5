import type { Enter } from '../namespaces/run-in.ts';
import { changeRoutes } from './change-routes.ts';

/** The window that connections by this interface begin with, both ways: the kernel keeps it with the routes. Disposing puts these back as they were. */
export function setInitialWindow(
  enter: Enter,
  { interface: name, segments }: { interface: string; segments: number },
): Promise<AsyncDisposable> {
  return changeRoutes(enter, {
    interface: name,
    attributes: { initcwnd: segments, initrwnd: segments },
    setting: 'initialWindowSegments',
  });
}
