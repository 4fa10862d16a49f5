import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';
import { useSweptVariables } from '../editor/sweep/use-swept-variables.ts';
import { ChoiceField } from './choice-field.tsx';

interface SwitchFieldProps {
  path: Path;
  label: ReactNode;
  description?: ReactNode;
  byDefault: boolean;
}

/** A yes or no of the Evaluation; its default is not written. In a sweep it can be a variable, so it is a list. */
export function SwitchField(props: SwitchFieldProps) {
  const { path, label, description, byDefault } = props;
  const { value } = useField(path);
  const swept = useSweptVariables(path);
  if (swept.length === 0 && typeof value !== 'string') return <PlainSwitch {...props} />;
  const choices = [true, false].map((isOn) => ({
    value: isOn ? 'on' : 'off',
    label: isOn ? 'on' : 'off',
    stored: isOn === byDefault ? undefined : isOn,
  }));
  return (
    <ChoiceField
      path={path}
      label={label}
      description={description}
      choices={choices}
      byDefault={byDefault ? 'on' : 'off'}
    />
  );
}

function PlainSwitch({ path, byDefault, ...input }: SwitchFieldProps) {
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
