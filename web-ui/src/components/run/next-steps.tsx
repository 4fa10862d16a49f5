import { Button, Group, Alert, List, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { mostAddedRounds } from '#core/evaluation/rounds/repetition.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { repeatRun, addRounds } from '../../api/run-requests.ts';
import { useStartRun } from './use-start-run.ts';
import { addRoundsDialog, useDialogInAddress } from '../use-dialog-in-address.ts';
import { FormDialog, DialogForm } from '../form-dialog.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { NextStep } from '#core/comparison/checks/recommend-next.ts';
import type { RoundsProposal } from '#core/protocol/api/rounds-proposal.ts';
import { roundsProposalQuery } from '../../api/queries.ts';
import { formatCount } from '../../format/format-numbers.ts';
import { formatDuration, formatMs } from '../../format/format-times.ts';
import { formatPercent, formatConfidence } from '../../format/format-ratios.ts';
import { QueryContent } from '../query-content.tsx';
import { ValuesInText } from '../values-in-text.tsx';

interface NextStepsProps {
  runId: string;
  /** Whether Rounds can be added to it. */
  canAdd: boolean;
  /** What is recommended; null where nothing is, and `pending` until that is known, so that what is below does not move. */
  next?: NextStep | null | 'pending';
  /** The button by which the result is shared, where it can be. */
  share?: ReactNode;
  /** The Run that this one is a change of. */
  changedFromRun: string | null;
}

/** What an evaluator does after a result: one recommended step with its reason, and the others beside it. */
export function NextSteps({ runId, canAdd, next: known = null, share, changedFromRun }: NextStepsProps) {
  const next = known === 'pending' ? null : known;
  const addsNext = next?.step === 'add-rounds' && canAdd;
  return (
    <Stack gap={6} className="no-print">
      {known === 'pending' && <Text size="sm">&nbsp;</Text>}
      {next && (
        <Text size="sm" aria-label="Next step" component="div" role="note">
          <strong>Next:</strong> <ValuesInText text={next.reason} />
        </Text>
      )}
      <Group gap="xs" role="group" aria-label="Next steps">
        {addsNext && <AddRoundsButton runId={runId} isNext />}
        {next?.step === 'run-again' && <RunAgainButton runId={runId} isNext />}
        {share}
        {canAdd && !addsNext && <AddRoundsButton runId={runId} isNext={false} />}
        {next?.step !== 'run-again' && <RunAgainButton runId={runId} isNext={false} />}
        <NeedsRole role="evaluator">
          <Button component={Link} to={`/evaluations/new?run=${runId}`} variant="default">
            Change one thing and run
          </Button>
        </NeedsRole>
        <Button
          component={Link}
          to={`/runs/compare?runs=${changedFromRun === null ? '' : `${changedFromRun},`}${runId}`}
          variant="default"
        >
          {changedFromRun === null ? 'Compare with…' : `Compare with Run ${changedFromRun}`}
        </Button>
      </Group>
    </Stack>
  );
}

/** Starts a Run of the same configuration, and goes to its page. */
function RunAgainButton({ runId, isNext }: { runId: string; isNext: boolean }) {
  const starting = useStartRun(() => repeatRun(runId));
  return (
    <NeedsRole role="evaluator">
      <Button variant={isNext ? 'filled' : 'default'} loading={starting.isPending} onClick={() => starting.mutate()}>
        Run again
      </Button>
    </NeedsRole>
  );
}

/** Continues a Run that has ended. */
function AddRoundsButton({ runId, isNext }: { runId: string; isNext: boolean }) {
  const [isOpen, { open, close }] = useDialogInAddress(addRoundsDialog);
  const proposal = useQuery({ ...roundsProposalQuery(runId), enabled: isNext }).data;
  return (
    <>
      <NeedsRole role="evaluator">
        <Button variant={isNext ? 'filled' : 'default'} onClick={open}>
          {proposal && proposal.refusal === null ? describeProposal(proposal) : 'Add Rounds'}
        </Button>
      </NeedsRole>
      <FormDialog title={`Add Rounds to Run ${runId}`} isOpen={isOpen} onClose={close}>
        <AddRoundsForm runId={runId} onDone={close} />
      </FormDialog>
    </>
  );
}

/** `Add 12 Rounds, about 6 min`. */
function describeProposal({ rounds, blockMs, warmUp }: RoundsProposal): string {
  const time = blockMs === null ? '' : `, about ${formatDuration((rounds + (warmUp ? 1 : 0)) * blockMs)}`;
  return `Add ${formatCount(rounds, 'Round')}${time}`;
}

/** How many Rounds to add, how long they take, and what another look at the result does to its intervals. */
function AddRoundsForm({ runId, onDone }: { runId: string; onDone: () => void }) {
  const query = useQuery(roundsProposalQuery(runId));
  return (
    <QueryContent query={query} what="The proposal" skeleton={<Skeleton height={160} />}>
      {(proposal) =>
        proposal.refusal === null ? (
          <Proposed runId={runId} proposal={proposal} onDone={onDone} />
        ) : (
          <Alert color="yellow" variant="light" title="No Rounds can be added to this Run">
            Run {runId}: {proposal.refusal}.
          </Alert>
        )
      }
    </QueryContent>
  );
}

function Proposed({ runId, proposal, onDone }: { runId: string; proposal: RoundsProposal; onDone: () => void }) {
  const [rounds, setRounds] = useState<number | string>(() => prefillRounds(proposal));
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isValid = typeof rounds === 'number' && Number.isInteger(rounds) && rounds >= 1 && rounds <= mostAddedRounds;
  const adding = useMutation({
    mutationFn: () => addRounds(runId, Number(rounds)),
    meta: { showsProblem: true },
    onSuccess: async () => {
      onDone();
      await queryClient.invalidateQueries({ queryKey: ['runs'] });
      await navigate(`/runs/${runId}`);
    },
  });
  return (
    <DialogForm
      onSubmit={() => adding.mutate()}
      submitLabel="Add Rounds"
      isComplete={isValid}
      isPending={adding.isPending}
      error={adding.error}
      errorTitle="No Rounds were added"
    >
      <Text size="sm">{describeGoal(proposal)}</Text>
      <NumberInput
        label="Rounds of each Scenario"
        placeholder={String(proposal.rounds)}
        description={isValid ? describeDuration(proposal, rounds) : undefined}
        value={rounds}
        onChange={setRounds}
        min={1}
        max={mostAddedRounds}
        clampBehavior="none"
        allowDecimal={false}
        error={isValid || rounds === '' ? undefined : `Enter a whole number from 1 to ${mostAddedRounds}.`}
        data-autofocus
      />
      {proposal.changes.length > 0 && (
        <Alert color="yellow" variant="light" title="Changed since the Run ended">
          <List size="sm">
            {proposal.changes.map((change) => (
              <List.Item key={change}>{change}</List.Item>
            ))}
          </List>
          <Text size="sm" mt="xs">
            The report lists this. Scenarios are still compared within each Block.
          </Text>
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {describeLook(proposal)}
      </Text>
    </DialogForm>
  );
}

/** Nothing where the question is decided: Enter is not to start an hour of measuring that changes no answer. A declared target is another question. */
export function prefillRounds({
  rounds,
  decided,
  goal,
}: Pick<RoundsProposal, 'rounds' | 'decided' | 'goal'>): number | '' {
  return decided !== null && goal.of === 'reduction' ? '' : rounds;
}

export function describeGoal(proposal: RoundsProposal): string {
  const { decided, rounds, isEnough, goal } = proposal;
  if (decided === null || goal.of !== 'reduction') return describeNeed(proposal);
  const time = describeDuration(proposal, rounds);
  const more = isEnough
    ? ` ${formatCount(rounds, 'more Round')} of each Scenario would make the interval about ± ${formatPercent(goal.halfWidth)}.${time ? ` ${time}` : ''}`
    : '';
  return `The result is decided: ${decided}. No more Rounds are needed for that. More make the interval narrower.${more}`;
}

function describeNeed({ blocks, rounds, isEnough, goal }: RoundsProposal): string {
  const width = {
    'mean-ratio': `the interval of every mean to be within ± ${formatPercent(goal.halfWidth)} of it, the target of this Evaluation`,
    'mean-ms': `the interval of every mean to be within ± ${formatMs(goal.halfWidth)}, the target of this Evaluation`,
    reduction: `the interval of every reduction to be within ± ${formatPercent(goal.halfWidth)}, the margin of equivalence`,
  }[goal.of];
  return isEnough
    ? `The Run has ${formatCount(blocks, 'Block')}. By their variation, ${formatCount(rounds, 'more Round')} of each Scenario should be enough for ${width}.`
    : `The Run has ${formatCount(blocks, 'Block')}. By their variation, no number of Rounds up to ${mostAddedRounds} is known to be enough for ${width}.`;
}

function describeDuration({ blockMs, warmUp }: RoundsProposal, rounds: number): string | undefined {
  if (blockMs === null) return undefined;
  return `About ${formatDuration((rounds + (warmUp ? 1 : 0)) * blockMs)}${warmUp ? ', with a new warm-up' : ''}.`;
}

function describeLook({ confidence, confidenceThen, isDeclared }: RoundsProposal): string {
  const rate = isDeclared
    ? ''
    : ` The Evaluation did not declare that Rounds may be added, so slightly more than ${formatPercent(1 - confidence)} of such Runs show a difference by chance. The report says so.`;
  return `The result has been seen, so this is another look at it. ${formatConfidence(confidence)} intervals are then computed at about ${formatConfidence(Number(confidenceThen.toFixed(3)))}.${rate}`;
}
