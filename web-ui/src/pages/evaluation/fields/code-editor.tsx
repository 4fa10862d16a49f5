import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { javascript } from '@codemirror/legacy-modes/mode/javascript';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';
import classes from './code-editor.module.css';

interface CodeEditorProps {
  label: string;
  language: 'shell' | 'javascript';
  value: string;
  describedBy: string | null;
  onChange: (value: string) => void;
}

const languages = { shell: StreamLanguage.define(shell), javascript: StreamLanguage.define(javascript) };

const highlighting = HighlightStyle.define([
  { tag: tags.comment, class: classes.comment! },
  { tag: tags.keyword, class: classes.keyword! },
  { tag: tags.string, class: classes.string! },
  { tag: tags.number, class: classes.number! },
  { tag: [tags.variableName, tags.definition(tags.variableName)], class: classes.variable! },
]);

/** Marks a change that came from the YAML, which has it already. */
const isFromYaml = Annotation.define<boolean>();

/** A script with line numbers and colours. Tab leaves it, so that the keyboard is never caught. */
export function CodeEditor({ label, language, value, describedBy, onChange }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const reportChange = useEffectEvent(onChange);
  const initial = useEffectEvent(() => value);

  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: initial(),
        extensions: [
          lineNumbers(),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          languages[language],
          syntaxHighlighting(highlighting),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(isFromYaml)))
              reportChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language]);

  // The YAML beside it was edited.
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: isFromYaml.of(true),
    });
  }, [value]);

  useEffect(() => {
    const content = view.current?.contentDOM;
    content?.setAttribute('aria-invalid', String(describedBy !== null));
    if (describedBy === null) content?.removeAttribute('aria-describedby');
    else content?.setAttribute('aria-describedby', describedBy);
  }, [describedBy]);

  return <div ref={place} className={classes.editor} data-wrong={describedBy !== null} />;
}
