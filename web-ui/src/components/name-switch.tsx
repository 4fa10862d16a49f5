import { SegmentedControl } from '@mantine/core';

interface NameSwitchProps {
  label: string;
  choices: { name: string; text: string }[];
  chosen: string;
  onChange: (name: string) => void;
}

/** Of these choices, some named by who wrote the Evaluation. Mantine keeps its buttons in an object by their values, where "constructor" would find what is no button. */
export function NameSwitch({ label, choices, chosen, onChange }: NameSwitchProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={valueOf(chosen)}
      onChange={(value) => onChange(value.slice(prefix.length))}
      data={choices.map(({ name, text }) => ({ value: valueOf(name), label: text }))}
    />
  );
}

const prefix = '=';

function valueOf(name: string): string {
  return prefix + name;
}
