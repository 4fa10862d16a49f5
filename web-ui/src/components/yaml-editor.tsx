import { type Ref, useId } from 'react';
import type { Problem } from '#core/protocol/api/problem.ts';
import classes from './yaml-editor.module.css';

interface YamlEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with the text as it was last sent. */
  issues: Problem['issues'];
  ref?: Ref<HTMLTextAreaElement>;
}

/** A plain text area with line numbers; a line that is wrong is marked, and says why when pointed at. */
export function YamlEditor({ value, onChange, issues, ref }: YamlEditorProps) {
  const hintId = useId();
  const lines = value.split('\n');
  const messages = new Map<number, string[]>();
  for (const { line, message } of issues)
    if (line !== null) messages.set(line, [...(messages.get(line) ?? []), message]);
  const longest = lines.reduce((longest, line) => Math.max(longest, line.length), 0);

  return (
    <div className={classes.editor}>
      <div className={classes.gutter} aria-hidden="true">
        {lines.map((_, index) => (
          <div
            key={index}
            className={classes.number}
            data-wrong={messages.has(index + 1)}
            title={messages.get(index + 1)?.join('\n')}
          >
            {index + 1}
          </div>
        ))}
      </div>
      <div className={classes.sheet}>
        {[...messages.keys()].map((line) => (
          <div
            key={line}
            className={classes.wrongLine}
            style={{ top: `calc(var(--line) * ${line - 1} + var(--inset))` }}
          />
        ))}
        <textarea
          ref={ref}
          className={classes.text}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          rows={lines.length + 1}
          cols={longest + 2}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-label="Evaluation as YAML"
          aria-invalid={issues.length > 0}
          aria-describedby={hintId}
        />
      </div>
      <span id={hintId} hidden>
        {lines.length} lines. Problems are listed above with their lines.
      </span>
    </div>
  );
}
