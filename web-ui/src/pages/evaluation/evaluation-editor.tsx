import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { NeedsRole } from '../../access/needs-role.tsx';
import { agentsQuery } from '../../api/queries.ts';
import { problemOf } from '../../api/request.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { goToPlace } from '../../components/go-to-place.ts';
import { readFormattedPath } from '#core/input/describe-issues.ts';
import type { LocatedIssue } from '#core/input/parse-yaml.ts';
import { EditorContext, useEditor } from './editor/editor-context.ts';
import type { EditorAction, EditorState } from './editor/use-editor-state.ts';
import classes from './evaluation-editor.module.css';
import { goToProblems, noticesId } from './go-to-problems.ts';
import { AboutSection } from './sections/about-section.tsx';
import { MoreSection } from './sections/more-section.tsx';
import { RepetitionSection } from './sections/repetition-section.tsx';
import { ScenariosSection } from './sections/scenarios/scenarios-section.tsx';
import { UserAgentsSection } from './sections/user-agents-section.tsx';
import { BeforeRun, beforeRunId } from './side/before-run.tsx';
import { PlanSummary, ReadinessSummary } from './side/plan-summary.tsx';
import { YamlPanel } from './side/yaml-panel.tsx';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { findFreeName } from './editor/find-free-name.ts';
import { readKeys, readPath } from './editor/path.ts';
import { UrlListFields } from './sections/urls/url-list-fields.tsx';

/** Why the Controller did not store a text. */
export interface Refusal {
  error: Error;
  text: string;
}

interface EvaluationEditorProps {
  state: EditorState;
  dispatch: (action: EditorAction) => void;
  evaluationId: string | null;
  /** The Run whose Evaluation is changed. */
  changedFromRun?: string | undefined;
  /** Whether it differs from what is stored. */
  isChanged: boolean;
  /** Whether a new one is being stored, until its own page is there. */
  isStoring?: boolean;
  /** Of the last attempt to store it. */
  refusal: Refusal | null;
  notice?: ReactNode;
  /** What can be done with it, in the bar that stays in sight. */
  actions: ReactNode;
  onDiscard: () => void;
  /** The words for it. */
  discard?: string;
}

/** The form in the order of thought, and the same as YAML beside it: either can be edited. */
export function EvaluationEditor({
  state,
  dispatch,
  evaluationId,
  changedFromRun,
  isChanged,
  isStoring = false,
  refusal,
  notice,
  actions,
  onDiscard,
  discard = 'Discard changes',
}: EvaluationEditorProps) {
  const { data: agents } = useQuery(agentsQuery);
  const [view, setView] = useState('form');
  // Of the text as it is now: once it is changed, nobody knows whether it would be refused.
  const refused = refusal?.text === state.text ? refusal.error : null;
  const issues = useMemo(() => [...state.issues, ...listRefused(refused)], [state.issues, refused]);
  useEffect(() => {
    if (refused) goToProblems();
  }, [refused]);
  const editor = useMemo(
    () => ({
      ...state,
      issues,
      agents,
      evaluationId,
      changedFromRun: changedFromRun ?? null,
      write: (text: string) => dispatch({ kind: 'write', text }),
      change: (changes: Extract<EditorAction, { kind: 'change' }>['changes']) => dispatch({ kind: 'change', changes }),
    }),
    [state, issues, agents, evaluationId, changedFromRun, dispatch],
  );
  const showBeforeRun = () => {
    flushSync(() => setView('form'));
    goToPlace(beforeRunId);
  };
  return (
    <EditorContext value={editor}>
      <div className={classes.bar}>
        <Text
          size="sm"
          role="status"
          maw={520}
          lineClamp={2}
          c={issues.length > 0 || refused ? 'var(--mantine-color-error)' : 'dimmed'}
        >
          {describeState(state, { isChanged, evaluationId, refused })}
        </Text>
        <ReadinessSummary onShow={showBeforeRun} />
        <SegmentedControl
          className={classes.switch}
          size="xs"
          value={view}
          onChange={setView}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'yaml', label: 'YAML' },
          ]}
          aria-label="Form or YAML"
        />
        <Group gap="xs" ml="auto">
          <PlanSummary onShow={showBeforeRun} />
          {isChanged && (
            <ConfirmButton
              color="gray"
              title={`${discard}?`}
              consequence="What you wrote here and did not save is lost."
              onConfirm={onDiscard}
            >
              {discard}
            </ConfirmButton>
          )}
          <NeedsRole role="evaluator">{actions}</NeedsRole>
        </Group>
      </div>
      <div id={noticesId} tabIndex={-1} className={classes.notices}>
        {notice}
      </div>
      <div className={classes.columns} data-view={view}>
        <fieldset className={classes.form} disabled={state.isMalformed} aria-label="The Evaluation as a form">
          {state.isMalformed && (
            <Alert color="yellow" variant="light" title="The YAML cannot be read">
              The form shows the last valid version until the YAML is corrected.
            </Alert>
          )}
          {/* A fieldset does not disable the editors of scripts. */}
          <Stack gap={28} inert={state.isMalformed}>
            <AboutSection evaluationId={evaluationId} isStoring={isStoring} />
            <UrlsSection />
            <ScenariosSection />
            <UserAgentsSection />
            <RepetitionSection />
            <MoreSection />
            <BeforeRun />
          </Stack>
        </fieldset>
        <aside className={classes.side} aria-label="The Evaluation as YAML">
          <YamlPanel isChanged={isChanged} />
        </aside>
      </div>
    </EditorContext>
  );
}

function describeState(
  { issues }: EditorState,
  { isChanged, evaluationId, refused }: { isChanged: boolean; evaluationId: string | null; refused: Error | null },
): string {
  if (refused) return `Not saved: ${problemOf(refused).message}`;
  if (issues.length > 0) return issues.length === 1 ? '1 problem' : `${issues.length} problems`;
  if (evaluationId === null) return 'Not saved yet';
  return isChanged ? 'Unsaved changes' : 'Saved';
}

/** What the Controller found wrong, to be shown at the fields. */
function listRefused(refused: Error | null): LocatedIssue[] {
  if (!refused) return [];
  return problemOf(refused).issues.map(({ path, line, message }) => ({ path: readFormattedPath(path), line, message }));
}

/** What is loaded: every URL list, entry by entry. */
function UrlsSection() {
  const { input, change } = useEditor();
  const lists = readKeys(input, ['urlLists']);
  const add = () => change([{ path: ['urlLists', findFreeName('more pages', lists)], value: [{ url: 'http://' }] }]);
  return (
    <Section
      title="URLs"
      beside={
        <Button size="compact-sm" variant="subtle" onClick={add}>
          Add a list
        </Button>
      }
    >
      <Stack gap="lg">
        {lists.map((list, index) => (
          <UrlListFields
            key={index}
            list={list}
            canRemove={lists.length > 1}
            entries={readPath(input, ['urlLists', list])}
          />
        ))}
        {lists.length === 0 && <Group c="dimmed">No URL list yet.</Group>}
      </Stack>
      <p style={{ margin: 0, fontSize: '0.8125rem', color: 'var(--mantine-color-dimmed)' }}>
        A pattern makes many URLs: <code>{'{1..30}'}</code> counts, <code>{'{5..25..5}'}</code> counts in steps,{' '}
        <code>{'{a,b}'}</code> lists. <code>{'{1}'}</code> in a label or <Term of="variable">variable</Term> is the
        value of the first braces.
      </p>
    </Section>
  );
}
