import { Button, FileButton, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { decodeText, maximumTextBytes } from '#core/input/decode-text.ts';
import { problemOf } from '../api/request.ts';
import { formatBytes } from '../format/format-numbers.ts';

interface TextFileButtonProps extends ButtonProps {
  /** Endings and types that the browser offers. */
  accept: string;
  onText: (text: string) => void;
}

/** Opens a file of text. */
export function TextFileButton({ accept, onText, ...look }: TextFileButtonProps) {
  const reset = useRef<() => void>(null);
  const open = (file: File | null) => {
    // A file that was corrected can be opened again.
    reset.current?.();
    openTextFile(file, onText);
  };
  return (
    <FileButton accept={accept} onChange={open} resetRef={reset}>
      {(props) => <Button variant="default" {...look} {...props} />}
    </FileButton>
  );
}

/** Hands on the text of a file that a person chose or dropped. One that is too large or not UTF-8 is refused, and says why. */
export function openTextFile(file: File | null | undefined, onText: (text: string) => void): void {
  if (!file) return;
  readText(file).then(onText, (error: unknown) => {
    notifications.show({ color: 'red', title: 'File not opened', message: problemOf(error).message });
  });
}

/** A File decodes itself without a word, with U+FFFD in place of each wrong byte. */
async function readText(file: File): Promise<string> {
  if (file.size > maximumTextBytes)
    throw new Error(`${file.name} has more than ${formatBytes(maximumTextBytes)}: open a smaller file`);
  return decodeText(new Uint8Array(await file.arrayBuffer()), file.name);
}
