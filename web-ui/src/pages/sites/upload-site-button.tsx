import { Button, FileInput, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { uploadSite } from '../../api/site-requests.ts';
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx';

/** Uploads a recording, and opens its page. */
export function UploadSiteButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <NeedsRole role="evaluator">
      <Button onClick={open}>Upload a Site</Button>
      <FormDialog title="Upload a Site" isOpen={isOpen} onClose={close}>
        <UploadForm />
      </FormDialog>
    </NeedsRole>
  );
}

function UploadForm() {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const uploading = useMutation({
    mutationFn: uploadSite,
    meta: { showsProblem: true },
    onSuccess: async ({ id }) => {
      await navigate(`/sites/${id}`);
      await queryClient.invalidateQueries({ queryKey: ['sites'], exact: true });
    },
  });
  return (
    <DialogForm
      onSubmit={() => file && uploading.mutate({ file, name: name.trim() })}
      submitLabel="Upload"
      isComplete={file !== null}
      isPending={uploading.isPending}
      error={uploading.error}
      errorTitle="Not uploaded"
    >
      <FileInput
        label="File"
        description="A WACZ file of ./http-ae site record or ./http-ae site import."
        placeholder="Choose a file"
        accept=".wacz"
        value={file}
        onChange={setFile}
        data-autofocus
      />
      <TextInput
        label="Name"
        description="URL lists refer to the Site by it."
        placeholder="the title of the recording"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={80}
      />
    </DialogForm>
  );
}
