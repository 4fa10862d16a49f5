import { useEffect, useReducer } from 'react';
import { forgetDraft, keepDraft } from './draft-store.ts';
import { editEvaluation, openEditor, type EditorAction, type EditorState } from './editor-state.ts';

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
