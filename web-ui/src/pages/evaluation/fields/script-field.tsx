import { Input, Skeleton } from '@mantine/core';
import { lazy, Suspense, useId } from 'react';
import { loadPage } from '../../../api/load-page.ts';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';

const CodeEditor = lazy(async () => ({ default: (await loadPage(() => import('./code-editor.tsx'))).CodeEditor }));

interface ScriptFieldProps {
  path: Path;
  label: string;
  language: 'shell' | 'javascript';
  isRequired?: boolean;
}

/** A script of the Evaluation, in an editor for code that comes when it is needed. */
export function ScriptField({ path, label, language, isRequired = false }: ScriptFieldProps) {
  const { value, error, set } = useField(path);
  const errorId = useId();
  return (
    <Input.Wrapper label={label} labelElement="div" error={error} errorProps={{ id: errorId }}>
      <Suspense fallback={<Skeleton h={104} radius="md" />}>
        <CodeEditor
          label={label}
          language={language}
          value={typeof value === 'string' ? value : ''}
          describedBy={error === null ? null : errorId}
          onChange={(text) => set(text === '' && !isRequired ? undefined : text)}
        />
      </Suspense>
    </Input.Wrapper>
  );
}
