import { useEffect, useReducer } from 'react';
import { editEvaluation, openEditor, type EditorAction, type EditorState } from './editor-state.ts';
import { z } from 'zod';

/** What somebody has typed and not stored, and the text and the version that it began as. */
const DraftSchema = z.object({ text: z.string(), original: z.string(), version: z.number().nullable() });
type Draft = z.infer<typeof DraftSchema>;

/** `of`: the id of an Evaluation, or how a new one began. */
const keyOf = (of: string) => `http-ae draft ${of}`;

/** What is being changed: a stored text and its version, or what a new one begins as. */
export interface Base {
  original: string;
  version: number | null;
}

/** The state of the editor. What was not stored is kept in this tab, over a reload, until it is stored or thrown away. */
export function useEditorState({
  draftOf,
  base,
  initial,
}: {
  draftOf: string;
  base: Base;
  initial: string;
}): [EditorState, (action: EditorAction) => void] {
  const [state, dispatch] = useReducer(editEvaluation, initial, (text) => openEditor(text));
  const { original, version } = base;
  useEffect(() => {
    if (state.text !== original) keepDraft(draftOf, { text: state.text, original, version });
    else forgetDraft(draftOf);
  }, [draftOf, state.text, original, version]);
  return [state, dispatch];
}

/** What was typed in this tab and not stored; null when there is nothing. */
export function readDraft(of: string): Draft | null {
  const kept = sessionStorage.getItem(keyOf(of));
  if (kept === null) return null;
  const parsed = DraftSchema.safeParse(JSON.parse(kept));
  return parsed.success ? parsed.data : null;
}

function keepDraft(of: string, draft: Draft): void {
  sessionStorage.setItem(keyOf(of), JSON.stringify(draft));
}

export function forgetDraft(of: string): void {
  sessionStorage.removeItem(keyOf(of));
}
