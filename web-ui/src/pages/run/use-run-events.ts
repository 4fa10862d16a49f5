import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RunDetailSchema, applyRunChange, RunChangeSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { runQuery } from '../../api/queries.ts';
import { runEventsPath } from '../../api/run-progress.ts';

const reconnectMs = 2000;

/** `lost`: the Controller does not answer, and the page keeps trying. */
export type Line = 'connecting' | 'live' | 'lost';

/** Updates a Run's query with each event of the Controller, until the Run ends. */
export function useRunEvents(runId: string, isEnabled: boolean): Line {
  const queryClient = useQueryClient();
  const [line, setLine] = useState<Line>('connecting');

  useEffect(() => {
    if (!isEnabled) return;
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;

    let last: RunDetail | null = null;
    const take = (run: RunDetail) => {
      last = run;
      queryClient.setQueryData(runQuery(runId).queryKey, run);
      setLine('live');
      // The stream ends with the Run; without this the browser would open it again.
      if (!isOpen(run.state)) source.close();
    };

    const beginAgain = () => {
      setLine('lost');
      source.close();
      timer = setTimeout(connect, reconnectMs);
      // Its answer says what is wrong.
      void queryClient.invalidateQueries(runQuery(runId));
    };
    const reading = (read: (data: unknown) => RunDetail | null) => (event: MessageEvent<string>) => {
      let run: RunDetail | null;
      try {
        run = read(JSON.parse(event.data));
      } catch {
        // Of another version than this page: it would stay as it is without a word.
        beginAgain();
        return;
      }
      if (run) take(run);
    };

    const connect = () => {
      source = new EventSource(runEventsPath(runId));
      source.onmessage = reading((data) => RunDetailSchema.parse(data));
      source.addEventListener(
        'change',
        reading((data) => last && applyRunChange(last, RunChangeSchema.parse(data))),
      );
      source.onerror = () => {
        setLine('lost');
        // The browser tries again automatically only after a broken connection. An error answer ends that.
        if (source.readyState === EventSource.CLOSED) beginAgain();
      };
    };

    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [runId, isEnabled, queryClient]);

  return line;
}
