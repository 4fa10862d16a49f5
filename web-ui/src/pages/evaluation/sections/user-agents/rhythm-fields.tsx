import { Button, Collapse } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { RestSchema } from '#core/evaluation/users/rest.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { isWithin, readPath, type Path } from '../../editor/path.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { RestField } from '../../fields/rest-field.tsx';

const fields = ['visitsPerUrl', 'restMs', 'startOffsetMs'];

/** When one User Agent loads its pages, and how often. What it does not say, the page load says. */
export function RhythmFields({ path }: { path: Path }) {
  const { input, issues } = useEditor();
  const paths = fields.map((field) => [...path, field]);
  const [isOpen, { toggle }] = useDisclosure(paths.some((each) => readPath(input, each) !== undefined));
  const isWrong = issues.some((issue) => paths.some((each) => isWithin(issue.path, each)));
  const isShown = isOpen || isWrong;
  const visitsPerUrl = readPath(input, ['pageLoad', 'visitsPerUrl']);
  return (
    <>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={toggle} aria-expanded={isShown} mt={4} px={0}>
        {isShown ? '▾' : '▸'} Own rhythm
      </Button>
      <Collapse expanded={isShown}>
        <FieldsRow least="9rem">
          <NumberField
            path={[...path, 'visitsPerUrl']}
            label="Visits of each URL"
            byDefault={typeof visitsPerUrl === 'number' ? visitsPerUrl : 1}
          />
          <RestField
            path={[...path, 'restMs']}
            byDefault={RestSchema.safeParse(readPath(input, ['pageLoad', 'restMs'])).data ?? 400}
          />
          <NumberField path={[...path, 'startOffsetMs']} label="Starts later by" unit="ms" byDefault={0} />
        </FieldsRow>
      </Collapse>
    </>
  );
}
