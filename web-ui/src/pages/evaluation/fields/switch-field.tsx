import { Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEditor, useField, useSweptVariables } from '../editor/editor-context.ts';
import { readPath, type Path } from '../editor/path.ts';
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

interface SwitchedFieldsProps {
  path: Path;
  label: string;
  description?: ReactNode;
  /** The name of its group, where it is one. */
  group?: string;
  /** What it is at first; empty unless given. */
  initial?: object;
  /** What goes with it. */
  others?: readonly Path[];
  children: ReactNode;
}

/** A part of the Evaluation that may be left out, and its fields while it is there. */
export function SwitchedFields(props: SwitchedFieldsProps) {
  const { path, label, description, group, initial = {}, others = [], children } = props;
  const { input, change } = useEditor();
  const { error } = useField(path);
  const isOn = readPath(input, path) !== undefined;
  const set = (on: boolean) =>
    change(on ? [{ path, value: initial }] : [path, ...others].map((each) => ({ path: each, value: undefined })));
  return (
    <Stack gap="sm" {...(group && { role: 'group', 'aria-label': group })}>
      <Switch
        label={label}
        description={description}
        checked={isOn}
        error={error}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {isOn && children}
    </Stack>
  );
}
