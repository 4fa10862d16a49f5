import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { NeedsRole } from '../../access/needs-role.tsx';
import { AddRoundsForm } from './add-rounds-form.tsx';
import { FormDialog } from '../form-dialog.tsx';

/** Continues a Run that has ended. `isProposed`: its result is undecided, so that more Rounds are the next thing to do. */
export function AddRoundsButton({ runId, isProposed }: { runId: string; isProposed: boolean }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <NeedsRole role="evaluator">
        <Button variant={isProposed ? 'filled' : 'default'} onClick={open}>
          Add Rounds
        </Button>
      </NeedsRole>
      <FormDialog title={`Add Rounds to Run ${runId}`} isOpen={isOpen} onClose={close}>
        <AddRoundsForm runId={runId} onDone={close} />
      </FormDialog>
    </>
  );
}
