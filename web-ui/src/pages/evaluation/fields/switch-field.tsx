import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';

interface SwitchFieldProps {
  path: Path;
  label: ReactNode;
  description?: ReactNode;
  byDefault: boolean;
}

/** A yes or no of the Evaluation; its default is not written. */
export function SwitchField({ path, byDefault, ...input }: SwitchFieldProps) {
  const { value, error, set } = useField(path);
  const isOn = typeof value === 'boolean' ? value : byDefault;
  return (
    <Switch
      {...input}
      checked={isOn}
      error={error}
      onChange={({ currentTarget }) => set(currentTarget.checked === byDefault ? undefined : currentTarget.checked)}
    />
  );
}
