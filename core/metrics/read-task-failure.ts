import { taskMarks } from '../evaluation/pages/page-mark.ts';
import { findMainFrame } from './navigation-start.ts';
import type { DocumentFailure } from './read-document-failure.ts';
import type { Snapshot } from './snapshot.ts';

/** What makes a failed Visit of one that waited for a mark: the page reported a failure, or did not set it in time. */
export function readTaskFailure(snapshot: Snapshot): DocumentFailure | null {
  const { untilMark } = snapshot;
  if (untilMark === undefined) return null;
  const marks = (findMainFrame(snapshot).userTimings ?? []).filter(({ kind }) => kind === 'mark');
  const failed = marks.find(({ name }) => name === taskMarks.failed);
  if (failed)
    return { code: 'task-failed', detail: String(failed.detail ?? `The page set the mark ${taskMarks.failed}`) };
  if (marks.some(({ name }) => name === untilMark)) return null;
  return { code: 'task-not-ended', detail: `The page did not set the mark "${untilMark}" in time` };
}
