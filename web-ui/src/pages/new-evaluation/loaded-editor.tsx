import { lazy, Suspense, type ComponentProps } from 'react';
import { loadPage } from '../../components/load-page.ts';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';

export const loadEditor = () => loadPage(() => import('./new-evaluation.tsx'));
const Editor = lazy(async () => ({ default: (await loadEditor()).NewEvaluation }));

/** The editor is much more than the questions, which come first: it is fetched while they are read. */
export function LoadedEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Editor {...props} />
    </Suspense>
  );
}
