import { NumberInput, SimpleGrid } from '@mantine/core';
import { KeptDaysSchema, type KeptDays } from '#core/protocol/api/retention.ts';
import { formatNumber } from '../format/format-numbers.ts';

const mostDays = 36_500;

/** As typed: an empty field keeps the data permanently. */
export type TypedDays = Record<keyof KeptDays, number | string>;

export const typeDays = ({ snapshotDays, visitDays }: KeptDays): TypedDays => ({
  snapshotDays: snapshotDays ?? '',
  visitDays: visitDays ?? '',
});

/** Null while a field is wrong. */
export function readDays(typed: TypedDays): KeptDays | null {
  const read = (value: number | string) => (value === '' ? null : value);
  return (
    KeptDaysSchema.safeParse({ snapshotDays: read(typed.snapshotDays), visitDays: read(typed.visitDays) }).data ?? null
  );
}

/** Whether some data would be kept less long. */
export function isShorter(next: KeptDays, { snapshotDays, visitDays }: KeptDays): boolean {
  const isLess = (days: number | null, before: number | null) => days !== null && (before === null || days < before);
  return isLess(next.snapshotDays, snapshotDays) || isLess(next.visitDays, visitDays);
}

/** How many days after the end of a Run its Snapshots and Visits are kept. */
export function KeptDaysFields({ days, onChange }: { days: TypedDays; onChange: (days: TypedDays) => void }) {
  const field = (name: keyof KeptDays, label: string, description: string) => {
    const isValid = readDays({ snapshotDays: '', visitDays: '', [name]: days[name] }) !== null;
    return (
      <NumberInput
        label={label}
        description={description}
        placeholder="permanently"
        hideControls
        rightSection={days[name] === 1 ? 'day' : 'days'}
        rightSectionWidth={56}
        rightSectionPointerEvents="none"
        value={days[name]}
        onChange={(value) => onChange({ ...days, [name]: value })}
        min={1}
        max={mostDays}
        clampBehavior="none"
        allowDecimal={false}
        error={isValid ? undefined : `Enter a number of days from 1 to ${formatNumber(mostDays)}, or nothing.`}
      />
    );
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} maw={620}>
      {field('snapshotDays', 'Keep Snapshots', 'Then the requests of each Visit and its HAR are gone.')}
      {field('visitDays', 'Keep Visits', 'Then only outcome, means and reductions are left.')}
    </SimpleGrid>
  );
}
