import { z } from 'zod';

/** What somebody has typed and not stored, and the text and the version that it began as. */
const DraftSchema = z.object({ text: z.string(), original: z.string(), version: z.number().nullable() });
export type Draft = z.infer<typeof DraftSchema>;

const keyOf = (evaluationId: string | null) => `http-ae draft ${evaluationId ?? 'new'}`;

/** What was typed in this tab and not stored; null when there is nothing. */
export function readDraft(evaluationId: string | null): Draft | null {
  const kept = sessionStorage.getItem(keyOf(evaluationId));
  if (kept === null) return null;
  const parsed = DraftSchema.safeParse(JSON.parse(kept));
  return parsed.success ? parsed.data : null;
}

export function keepDraft(evaluationId: string | null, draft: Draft): void {
  sessionStorage.setItem(keyOf(evaluationId), JSON.stringify(draft));
}

export function forgetDraft(evaluationId: string | null): void {
  sessionStorage.removeItem(keyOf(evaluationId));
}
