import { z } from 'zod';

/** What somebody has typed and not stored, and the text and the version that it began as. */
const DraftSchema = z.object({ text: z.string(), original: z.string(), version: z.number().nullable() });
export type Draft = z.infer<typeof DraftSchema>;

/** `of`: the id of an Evaluation, or how a new one began. */
const keyOf = (of: string) => `http-ae draft ${of}`;

/** What was typed in this tab and not stored; null when there is nothing. */
export function readDraft(of: string): Draft | null {
  const kept = sessionStorage.getItem(keyOf(of));
  if (kept === null) return null;
  const parsed = DraftSchema.safeParse(JSON.parse(kept));
  return parsed.success ? parsed.data : null;
}

export function keepDraft(of: string, draft: Draft): void {
  sessionStorage.setItem(keyOf(of), JSON.stringify(draft));
}

export function forgetDraft(of: string): void {
  sessionStorage.removeItem(keyOf(of));
}
