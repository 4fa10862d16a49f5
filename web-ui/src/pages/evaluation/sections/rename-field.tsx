import { TextInput } from '@mantine/core';
import { useState } from 'react';

interface RenameFieldProps {
  label: string;
  name: string;
  taken: readonly string[];
  onRename: (next: string) => void;
  width?: number | string;
}

/** A name that others refer to. When the field is left, or Enter is pressed, it changes everywhere. */
export function RenameField({ label, name, taken, onRename, width = 240 }: RenameFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const next = typed?.trim() ?? name;
  const problem = next === '' ? 'must not be empty' : next !== name && taken.includes(next) ? 'is used already' : null;
  const leave = () => {
    setTyped(null);
    if (problem === null && next !== name) onRename(next);
  };
  return (
    <TextInput
      label={label}
      value={typed ?? name}
      error={problem}
      maxLength={80}
      w={width}
      autoComplete="off"
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={leave}
      onKeyDown={({ key }) => {
        if (key === 'Enter') leave();
        if (key === 'Escape') setTyped(null);
      }}
    />
  );
}
