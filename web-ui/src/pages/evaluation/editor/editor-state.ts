import { EvaluationInputSchema, expandDocument } from '#core/evaluation/evaluation-document.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { parseYaml, type LocatedIssue } from '#core/input/parse-yaml.ts';
import { changeYaml, type Change, expandShorthands } from './change-yaml.ts';

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
