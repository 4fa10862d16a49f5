import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { createEvaluation, updateEvaluation } from '../../api/evaluation-requests.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { agentsQuery, evaluationQuery, evaluationsQuery, runsQuery } from '../../api/queries.ts';
import { problemOf } from '../../api/request.ts';
import { startRun } from '../../api/run-requests.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { changeYaml, listChanges, separateChanges, type Change } from './editor/change-yaml.ts';
import { findFreeTitle } from './editor/find-free-name.ts';
import { useEditorState, type Base, forgetDraft, readDraft } from './editor/use-editor-state.ts';
import { writeEvaluation } from './editor/write-evaluation.ts';
import { EvaluationEditor } from './evaluation-editor.tsx';
import { goToProblems } from './go-to-problems.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { findMissing } from './side/check-readiness.ts';
import { StartButton } from './start-button.tsx';
import { parse } from 'yaml';
import { formatPath } from '#core/input/describe-issues.ts';
import { TimeAgo } from '../../components/time-ago.tsx';

interface ConflictAlertProps {
  theirs: StoredEvaluation;
  /** What mine began as. */
  original: string;
  mine: string;
  /** Whether mine is a YAML document, which can be merged. */
  canMerge: boolean;
  onTake: (text: string) => void;
  isCopying: boolean;
  onSaveCopy: () => void;
}

const shownChanges = 8;

interface StoredEvaluationEditorProps {
  stored: StoredEvaluation;
  /** Whether its page is being left on purpose, so that changes which are not stored are not asked about. */
  isLeaving: () => boolean;
  onLeave: () => void;
}

/** A stored Evaluation, to be changed and run. */
export function StoredEvaluationEditor({ stored, isLeaving, onLeave }: StoredEvaluationEditorProps) {
  const { id } = stored;
  const [draft] = useState(() => readDraft(id));
  const [base, setBase] = useState<Base>(() =>
    draft
      ? { original: draft.original, version: draft.version }
      : { original: writeEvaluation(stored.document), version: stored.version },
  );
  const [state, dispatch] = useEditorState({ draftOf: id, base, initial: draft?.text ?? base.original });
  const { data: runs } = useQuery(runsQuery);
  const { data: agents } = useQuery(agentsQuery);
  const { data: evaluations } = useQuery(evaluationsQuery);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isChanged = state.text !== base.original;
  const isOutdated = base.version !== null && stored.version > base.version;
  const openRun = runs?.find((run) => run.evaluationId === id && isOpen(run.state));

  const store = async (text: string) => {
    const changed = await updateEvaluation({ id, version: base.version ?? stored.version, yaml: text });
    setBase({ original: text, version: changed.version });
    queryClient.setQueryData(evaluationQuery(id).queryKey, changed);
    await queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true });
  };
  const storing = useMutation({
    mutationFn: store,
    meta: { showsProblem: true },
    onError: async (error) => {
      if (problemOf(error).code === 'conflict')
        await queryClient.invalidateQueries({ queryKey: evaluationQuery(id).queryKey });
    },
  });
  const starting = useMutation({
    mutationFn: () => startRun(id),
    onSuccess: async (run) => {
      onLeave();
      await navigate(`/runs/${run.id}`);
      await queryClient.invalidateQueries({ queryKey: ['runs'], exact: true });
    },
    onError: () => queryClient.invalidateQueries({ queryKey: evaluationQuery(id).queryKey }),
  });
  const copying = useMutation({
    mutationFn: () =>
      createEvaluation(
        changeYaml(state.text, [
          { path: ['name'], value: findFreeTitle(stored.document.name, evaluations?.map(({ name }) => name) ?? []) },
        ]),
      ),
    onSuccess: async (copy) => {
      onLeave();
      forgetDraft(id);
      await navigate(`/evaluations/${copy.id}`);
      await queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true });
    },
  });

  const whenRight = (act: () => void) => () => (state.evaluation ? act() : goToProblems());
  const save = () =>
    storing.mutate(state.text, {
      onSuccess: () =>
        notifications.show({
          title: 'Saved',
          message: 'The next Run uses it. Runs under way keep the copy that they started with.',
        }),
    });
  const run = () => {
    if (isChanged) storing.mutate(state.text, { onSuccess: () => starting.mutate() });
    else starting.mutate();
  };
  const discard = () => dispatch({ kind: 'write', text: base.original });
  const loadTheirs = (text: string) => {
    setBase({ original: writeEvaluation(stored.document), version: stored.version });
    dispatch({ kind: 'write', text });
    storing.reset();
  };
  const refusal = storing.error && problemOf(storing.error).code !== 'conflict' ? storing.error : null;
  return (
    <>
      <LeaveGuard
        hasChanges={() => isChanged && !isLeaving()}
        onDiscard={() => {
          onLeave();
          forgetDraft(id);
        }}
      />
      <EvaluationEditor
        state={state}
        dispatch={dispatch}
        evaluationId={id}
        isChanged={isChanged}
        refusal={storing.error && { error: storing.error, text: storing.variables }}
        onDiscard={discard}
        actions={
          <>
            <Button
              variant={isChanged ? 'filled' : 'default'}
              disabled={!isChanged}
              loading={storing.isPending}
              onClick={whenRight(save)}
            >
              Save changes
            </Button>
            <StartButton
              variant={isChanged ? 'default' : 'filled'}
              loading={starting.isPending}
              disabled={isOutdated || storing.isPending}
              missing={findMissing(state.evaluation, agents)}
              onStart={whenRight(run)}
              aria-label={`${isChanged ? 'Save and run' : 'Run'} ${stored.document.name}`}
            >
              {isChanged ? 'Save and run' : 'Run'}
            </StartButton>
          </>
        }
        notice={
          <>
            {isOutdated && (
              <ConflictAlert
                theirs={stored}
                original={base.original}
                mine={state.text}
                canMerge={isChanged && !state.isMalformed}
                onTake={loadTheirs}
                isCopying={copying.isPending}
                onSaveCopy={whenRight(() => copying.mutate())}
              />
            )}
            {refusal && <ProblemAlert title="Not saved" error={refusal} />}
            {openRun && (
              <Alert variant="light" p="xs">
                <Anchor component={Link} to={`/runs/${openRun.id}`} inherit underline="always">
                  Run {openRun.id}
                </Anchor>{' '}
                is under way with an earlier copy. Changes here apply to the next Run.
              </Alert>
            )}
          </>
        }
      />
    </>
  );
}

/** Shown when somebody else stored a newer version: who, what they changed, and what to do. Nothing is overwritten. */
function ConflictAlert(props: ConflictAlertProps) {
  const { theirs, original, mine, canMerge, onTake, isCopying, onSaveCopy } = props;
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
          <Button size="xs" variant="default" loading={isCopying} onClick={onSaveCopy}>
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
