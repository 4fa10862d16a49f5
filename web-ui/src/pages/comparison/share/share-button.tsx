import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { NeedsRole } from '../../../access/needs-role.tsx';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { ShareForm } from './share-form.tsx';
import { ShareTable } from './share-table.tsx';

/** A read-only link to this Comparison for people without an account. */
export function ShareButton({ runId }: { runId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <NeedsRole role="evaluator">
      <Button variant="default" onClick={open}>
        Share…
      </Button>
      <FormDialog title="Share this Comparison" isOpen={isOpen} onClose={close}>
        <ShareForm runId={runId} onDone={close} />
        <ShareTable runId={runId} />
      </FormDialog>
    </NeedsRole>
  );
}
