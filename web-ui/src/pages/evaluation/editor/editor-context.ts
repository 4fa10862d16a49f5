import { createContext, use } from 'react';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import type { Change } from './change-yaml.ts';
import { isSamePath, isWithin, readPath, type Path, readKeys } from './path.ts';
import type { EditorState } from './use-editor-state.ts';

export interface Editor extends EditorState {
  /** Undefined until it is known. */
  agents: AgentSummary[] | undefined;
  /** Of the stored Evaluation that is changed; null of a new one. */
  evaluationId: string | null;
  /** The Run whose Evaluation is changed; null of any other. */
  changedFromRun: string | null;
  write: (text: string) => void;
  change: (changes: readonly Change[]) => void;
}

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (!editor) throw new Error('A field is outside of an editor');
  return editor;
}

export interface Field {
  value: unknown;
  /** What is wrong with it, or null. */
  error: string | null;
  set: (value: unknown) => void;
}

/** One field of the Evaluation. `isWhole`: the field also shows the errors within its value, which has no fields of its own. */
export function useField(path: Path, { isWhole = false }: { isWhole?: boolean } = {}): Field {
  const { input, issues, isMalformed, change } = useEditor();
  const own = isMalformed
    ? []
    : issues.filter((issue) => (isWhole ? isWithin(issue.path, path) : isSamePath(issue.path, path)));
  return {
    value: readPath(input, path),
    error: own.length > 0 ? [...new Set(own.map(({ message }) => message))].join('; ') : null,
    set: (value) => change([{ path, value }]),
  };
}

/** The variables that a field of a Scenario may take its value from. */
export function useSweptVariables(path: Path): string[] {
  const { input } = useEditor();
  return path[0] === 'scenarios' ? readKeys(input, [...path.slice(0, 2), 'sweep']) : [];
}
