import { MultiSelect } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { z } from 'zod';
import type { SettingWords } from '#core/evaluation/setting-words.ts';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';
import { ChoiceField } from './choice-field.tsx';
import { NumberField } from './number-field.tsx';
import { SwitchField } from './switch-field.tsx';
import { TextField } from './text-field.tsx';

type Words = Omit<SettingWords, 'show'>;

interface SettingFieldsProps<Name extends string> {
  path: Path;
  /** Of the mapping that the settings are in. */
  schema: { shape: Readonly<Record<string, z.core.$ZodType>> };
  words: Record<Name, Words>;
  /** Those that are shown, in their order; without it, all. */
  names?: readonly NoInfer<Name>[];
  /** What holds where nothing is written, if it is not always the same. */
  byDefault?: Partial<Record<Name, string>> | undefined;
  /** What a label says beside its word, such as the definition. */
  labels?: Partial<Record<Name, ReactNode>>;
  /** Those of a choice that are offered; without it, all. */
  values?: Partial<Record<Name, readonly string[]>>;
  /** An emptied field stays, for validation to report. */
  isRequired?: boolean;
}

/** A field for each setting of a family, by its schema and its words. */
export function SettingFields<Name extends string>({
  path,
  schema,
  words,
  names = Object.keys(words) as Name[],
  byDefault = {},
  labels = {},
  values = {},
  isRequired = false,
}: SettingFieldsProps<Name>) {
  return names.map((name) => (
    <SettingField
      key={name}
      path={[...path, name]}
      schema={schema.shape[name]!}
      words={{ ...words[name], ...(byDefault[name] !== undefined && { byDefault: byDefault[name] }) }}
      label={labels[name] ?? words[name].label}
      offered={values[name]}
      isRequired={isRequired}
    />
  ));
}

const onOrOff = [
  { value: 'on', label: 'on', stored: true },
  { value: 'off', label: 'off', stored: false },
];

interface SettingFieldProps {
  path: Path;
  schema: z.core.$ZodType;
  words: Words;
  label: ReactNode;
  offered: readonly string[] | undefined;
  isRequired: boolean;
}

function SettingField({ path, schema, words, label, offered, isRequired }: SettingFieldProps) {
  const { unit, scale = 1, byDefault, example, help, choices = {}, suggestions } = words;
  const { kind, values, standard } = readSchema(schema);
  const own = { path, label, ...(help !== undefined && { description: help }) };
  const options = (offered ?? values).map((value) => ({ value, label: choices[value] ?? value }));
  switch (kind) {
    case 'boolean': {
      const isOn = typeof standard === 'boolean' ? standard : { on: true, off: false }[byDefault ?? ''];
      return isOn === undefined ? (
        <ChoiceField {...own} choices={onOrOff} placeholder={byDefault ?? ''} isOptional />
      ) : (
        <SwitchField {...own} byDefault={isOn} />
      );
    }
    case 'number':
      return (
        <NumberField
          {...own}
          unit={unit}
          isRequired={isRequired}
          scale={scale}
          byDefault={byDefault ?? (typeof standard === 'number' ? standard * scale : undefined)}
        />
      );
    case 'enum': {
      const isOptional = standard === undefined && !values.includes(byDefault ?? '');
      const holds = isOptional
        ? { placeholder: byDefault ?? '', isOptional }
        : { byDefault: typeof standard === 'string' ? standard : byDefault! };
      return <ChoiceField {...own} choices={options} {...holds} />;
    }
    case 'graded':
      return (
        <ChoiceField
          {...own}
          choices={[false, ...values, true].map((value) => ({
            value: String(value),
            label: choices[String(value)] ?? String(value),
            ...(typeof value === 'boolean' && { stored: value === standard ? undefined : value }),
          }))}
          byDefault={String(standard)}
        />
      );
    case 'choices':
      return <ChoicesField {...own} choices={options} byDefault={byDefault} />;
    case 'text':
      return <SuggestingField {...own} placeholder={example ?? byDefault} suggestions={suggestions} />;
  }
}

/** `graded`: yes, no, or something between them. */
type Kind = 'boolean' | 'graded' | 'number' | 'enum' | 'choices' | 'text';

/** What a schema takes, what it may be, and what it is without being written. */
function readSchema(schema: z.core.$ZodType, standard?: unknown): { kind: Kind; values: string[]; standard?: unknown } {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'default':
      return readSchema(def.innerType, def.defaultValue);
    case 'optional':
      return readSchema(def.innerType, standard);
    case 'pipe':
      return readSchema(def.in, standard);
    case 'union': {
      const kinds = def.options.map((option) => (option as z.core.$ZodTypes)._zod.def);
      const between = kinds.flatMap((own) => (own.type === 'literal' ? own.values : []));
      if (between.length > 0 && kinds.some(({ type }) => type === 'boolean'))
        return { kind: 'graded', values: between.map(String), standard };
      const isNumber = def.options.some((option) => option._zod.def.type === 'number');
      return { kind: isNumber ? 'number' : 'text', values: [], standard };
    }
    case 'enum':
      return { kind: 'enum', values: Object.values(def.entries).map(String), standard };
    case 'array':
      return { ...readSchema(def.element), kind: 'choices', standard };
    case 'boolean':
    case 'number':
      return { kind: def.type, values: [], standard };
    default:
      return { kind: 'text', values: [], standard };
  }
}

interface SuggestingFieldProps {
  path: Path;
  label: ReactNode;
  placeholder: string | undefined;
  suggestions: readonly string[] | undefined;
}

function SuggestingField({ suggestions = [], placeholder, ...input }: SuggestingFieldProps) {
  const id = useId();
  return (
    <>
      <TextField
        {...input}
        placeholder={placeholder ?? ''}
        {...(suggestions.length > 0 ? { list: id } : { isCode: true })}
      />
      {suggestions.length > 0 && (
        <datalist id={id}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface ChoicesFieldProps {
  path: Path;
  label: ReactNode;
  choices: { value: string; label: string }[];
  byDefault: string | undefined;
}

/** Some of several. */
function ChoicesField({ path, label, choices, byDefault }: ChoicesFieldProps) {
  const { value, error, set } = useField(path, { isWhole: true });
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? (byDefault ?? '') : ''}
      data={choices}
      value={chosen}
      error={error}
      onChange={(next) => set(next.length === 0 ? undefined : next)}
    />
  );
}
