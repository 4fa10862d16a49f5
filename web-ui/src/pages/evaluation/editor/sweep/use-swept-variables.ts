import { useEditor } from '../editor-context.ts';
import { readKeys, type Path } from '../path.ts';

/** The variables that a field of a Scenario may take its value from. */
export function useSweptVariables(path: Path): string[] {
  const { input } = useEditor();
  return path[0] === 'scenarios' ? readKeys(input, [...path.slice(0, 2), 'sweep']) : [];
}
