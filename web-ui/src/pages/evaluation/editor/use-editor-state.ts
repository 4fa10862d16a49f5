import { useEffect, useReducer } from 'react';
import { z } from 'zod';
import { EvaluationInputSchema, expandDocument } from '#core/evaluation/evaluation-document.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { parseYaml, type LocatedIssue } from '#core/input/parse-yaml.ts';
import { changeYaml, expandShorthands, type Change } from './change-yaml.ts';

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
  try {
    sessionStorage.setItem(keyOf(of), JSON.stringify(draft));
  } catch {
    // There is no room for so long a text. What was kept before is older, and an error here would take the page away.
    forgetDraft(of);
  }
}

export function forgetDraft(of: string): void {
  sessionStorage.removeItem(keyOf(of));
}

/** The text is the one truth; the form shows what it says. */
export interface EditorState {
  text: string;
  /** What the text says, without defaults; of a text that is no YAML, what it said before. */
  input: unknown;
  /** With all Scenarios written out; null while it has a problem. */
  evaluation: Evaluation | null;
  issues: LocatedIssue[];
  /** The text is no YAML document, so that its fields cannot be changed one by one. */
  isMalformed: boolean;
}

export type EditorAction = { kind: 'write'; text: string } | { kind: 'change'; changes: readonly Change[] };

export function openEditor(text: string, before: unknown = {}): EditorState {
  const parsed = parseYaml(text, EvaluationInputSchema);
  switch (parsed.kind) {
    case 'valid':
      return {
        text,
        input: expandShorthands(parsed.input),
        evaluation: expandDocument(parsed.value),
        issues: [],
        isMalformed: false,
      };
    case 'wrong':
      return {
        text,
        input: expandShorthands(parsed.input),
        evaluation: null,
        issues: parsed.issues,
        isMalformed: false,
      };
    case 'malformed':
      return { text, input: before, evaluation: null, issues: parsed.issues, isMalformed: true };
  }
}

export function editEvaluation(state: EditorState, action: EditorAction): EditorState {
  if (action.kind === 'write') return openEditor(action.text, state.input);
  return state.isMalformed ? state : openEditor(changeYaml(state.text, action.changes), state.input);
}
