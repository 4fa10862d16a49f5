import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { createEvaluation } from '../../api/evaluations.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Term } from '../../components/term.tsx';
import { YamlForm } from '../../components/yaml-form.tsx';
import { template } from './template.ts';

/** A new Evaluation from a text: the template to change, or a file of one's own. */
export function NewEvaluationPage() {
  const [yaml, setYaml] = useState(template);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const storing = useMutation({
    mutationFn: createEvaluation,
    meta: { showsProblem: true },
    onSuccess: async ({ id }) => {
      await navigate(`/evaluations/${id}`);
      await queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true });
    },
  });

  return (
    <>
      <PageHeader
        title="New Evaluation"
        parent={{ to: '/', label: 'Evaluations' }}
        description={
          <>
            Change the template or put your own in its place. One <Term of="scenario">Scenario</Term> is the <Term of="baseline">baseline</Term>; every{' '}
            <Term of="userAgent">User Agent</Term> names the <Term of="host">host</Term> that it runs on and its URL list. Nothing is stored while something
            is wrong.
          </>
        }
      />
      <YamlForm
        value={yaml}
        onChange={setYaml}
        refusal={storing.error && { error: storing.error, yaml: storing.variables }}
        submitLabel="Store"
        isSubmitting={storing.isPending}
        onSubmit={() => storing.mutate(yaml)}
      />
    </>
  );
}
