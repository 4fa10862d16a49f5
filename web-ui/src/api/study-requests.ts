import { z } from 'zod';
import { StudySummarySchema, type StudySummary } from '#core/protocol/api/studies.ts';
import { json, request } from './request.ts';

export function fetchStudies(signal: AbortSignal): Promise<StudySummary[]> {
  return request({ path: '/api/studies', answer: json(z.array(StudySummarySchema)), signal });
}

/** Where the picture of a study is. */
export function studyPicture(name: string): string {
  return `/api/studies/${encodeURIComponent(name)}/picture`;
}

/** Where a study is on the page of a new Evaluation. */
export function studyHash(name: string): string {
  return `#study-${encodeURIComponent(name)}`;
}
