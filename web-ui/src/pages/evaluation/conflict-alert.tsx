import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { parse } from 'yaml';
import { formatPath } from '#core/input/describe-issues.ts';
import type { StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { changeYaml, type Change } from './editor/change-yaml.ts';
import { listChanges, separateChanges } from './editor/compare-documents.ts';
import { writeEvaluation } from './editor/write-evaluation.ts';

interface ConflictAlertProps {
  theirs: StoredEvaluation;
  /** What mine began as. */
  original: string;
  mine: string;
  /** Whether mine is a YAML document, which can be merged. */
  canMerge: boolean;
  onTake: (text: string) => void;
  onSaveCopy: () => void;
}

/** Shown when somebody else stored a newer version: who, what they changed, and what to do. Nothing is overwritten. */
export function ConflictAlert({ theirs, original, mine, canMerge, onTake, onSaveCopy }: ConflictAlertProps) {
  const theirText = writeEvaluation(theirs.document);
  const theirChanges = listChanges(parse(original), parse(theirText));
  const { free, contested } = canMerge
    ? separateChanges(listChanges(parse(original), parse(mine)), theirChanges)
    : { free: [], contested: [] };
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      title={`${theirs.updatedBy ?? 'Somebody else'} changed this Evaluation while you had it open`}
    >
      <Stack gap="xs">
        <Text size="sm">
          It was saved <TimeAgo time={theirs.updatedAt} />. Nothing was overwritten. They changed:
        </Text>
        <ChangeList changes={theirChanges} />
        {contested.length > 0 && (
          <>
            <Text size="sm">
              You both changed these fields. A merge keeps their values and drops yours, shown here:
            </Text>
            <ChangeList changes={contested} />
          </>
        )}
        <Group gap="xs">
          {free.length > 0 && (
            <Button size="xs" onClick={() => onTake(changeYaml(theirText, free))}>
              Merge my changes into theirs
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onSaveCopy}>
            Save mine as a copy
          </Button>
          <Button size="xs" variant="default" onClick={() => onTake(theirText)}>
            Load theirs and discard mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const shownChanges = 8;

function ChangeList({ changes }: { changes: Change[] }) {
  return (
    <ul style={{ margin: 0, paddingLeft: 20, fontSize: '0.875rem', overflowWrap: 'anywhere' }}>
      {changes.slice(0, shownChanges).map(({ path, value }, index) => (
        <li key={index}>
          <Code>{formatPath(path)}</Code> {value === undefined ? 'removed' : <>is now {describeValue(value)}</>}
        </li>
      ))}
      {changes.length > shownChanges && <li>and {changes.length - shownChanges} more</li>}
      {changes.length === 0 && <li>only comments or order</li>}
    </ul>
  );
}

function describeValue(value: unknown): string {
  const words = JSON.stringify(value);
  return words.length > 160 ? `${words.slice(0, 159)}…` : words;
}
