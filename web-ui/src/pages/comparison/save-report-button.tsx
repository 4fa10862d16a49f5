import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatReportFile, reportParts } from '#core/comparison/report-file.ts';
import { comparisonQuery, measurementsQuery, methodQuery, wireQuery } from '../../api/queries.ts';
import { request, text } from '../../api/request.ts';
import { saveFile } from '../../export/save-file.ts';

/** The whole report as one file that opens without a network. */
export function SaveReportButton({ runId }: { runId: string }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const [comparison, wire, method, measurements, script, style] = await Promise.all([
        client.query({ ...comparisonQuery(runId), staleTime: 0 }),
        client.query({ ...wireQuery(runId), staleTime: 0 }),
        client.query({ ...methodQuery(runId), staleTime: 0 }),
        client.query({ ...measurementsQuery(runId, null), staleTime: 0 }),
        request({ path: reportParts.script, answer: text }),
        request({ path: reportParts.style, answer: text }),
      ]);
      const html = formatReportFile({ data: { version: 1, comparison, wire, method, measurements }, script, style });
      saveFile(new Blob([html], { type: 'text/html;charset=utf-8' }), `run-${runId}-report.html`);
    },
  });
  return (
    <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
      Report as HTML
    </Button>
  );
}
