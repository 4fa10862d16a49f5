import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoredEvaluation } from '#core/protocol/api/evaluation.ts';
import { updateEvaluation } from '../../api/evaluations.ts';
import { evaluationYamlQuery } from '../../api/queries.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { YamlForm } from '../../components/yaml-form.tsx';

/** The Evaluation as text, to read and to change. */
export function EvaluationYaml({ evaluation }: { evaluation: StoredEvaluation }) {
  // The version that the text began as stays while somebody types, whatever others store meanwhile.
  const [version, setVersion] = useState(evaluation.version);
  const query = useQuery(evaluationYamlQuery(evaluation.id, version));
  return (
    <QueryContent query={query} what="The YAML">
      {(yaml) => <YamlChanges key={version} stored={yaml} id={evaluation.id} version={version} onStored={setVersion} />}
    </QueryContent>
  );
}

interface YamlChangesProps {
  stored: string;
  id: string;
  version: number;
  onStored: (version: number) => void;
}

function YamlChanges({ stored, id, version, onStored }: YamlChangesProps) {
  const [yaml, setYaml] = useState(stored);
  const queryClient = useQueryClient();
  const storing = useMutation({
    mutationFn: (text: string) => updateEvaluation({ id, version, yaml: text }),
    meta: { showsProblem: true },
    onSuccess: async (changed) => {
      onStored(changed.version);
      notifications.show({ title: 'Stored', message: 'The next Run will use it. Earlier Runs keep the copy that they were made with.' });
      await queryClient.invalidateQueries({ queryKey: ['evaluations'] });
    },
  });
  return (
    <YamlForm
      value={yaml}
      onChange={setYaml}
      refusal={storing.error && { error: storing.error, yaml: storing.variables }}
      submitLabel="Store changes"
      isSubmitting={storing.isPending}
      onSubmit={() => storing.mutate(yaml)}
    />
  );
}
