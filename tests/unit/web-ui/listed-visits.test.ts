import { expect, test } from 'vitest';
import type { ListedVisit } from '#core/protocol/api/listed-visit.ts';
import { describeState, listColumns } from '#web-ui/src/pages/visit/visit-table.tsx';
import { renderInPage, textsOf } from './support/render-in-page.ts';

const visit = {
  ...{ id: '1', status: 'ok', code: null, failedObjects: 0, isSettled: true, isHidden: false, exclusionReason: null },
  ...{ baseMs: 41.26, viewportMs: null, totalMs: 2314 },
} as unknown as ListedVisit;

test('the state of a Visit names what failed, and all that a reader has to know of it', () => {
  const of = (change: Partial<ListedVisit>) => describeState({ ...visit, ...change }).replaceAll('\u00A0', ' ');
  expect(of({})).toBe('ok');
  expect(of({ status: 'failed' })).toBe('failed');
  expect(of({ status: 'failed', code: 'dns-failure' })).toBe('dns-failure');
  expect(of({ failedObjects: 1, isSettled: false, isHidden: true, exclusionReason: 'a storm' })).toBe(
    'ok, 1 failed object, unsettled, hidden, excluded',
  );
  expect(of({ failedObjects: null, isSettled: null, isHidden: null })).toBe('ok');
});

test('a latency that is absent says whether its Visit failed', () => {
  const columns = listColumns({ runId: '7', styles: new Map(), showsHosts: false });
  const htmlOf = (name: string, change: Partial<ListedVisit>) => {
    const { cell } = columns.find((column) => column.name === name)!;
    return renderInPage(() => cell({ ...visit, ...change }), {});
  };
  expect(textsOf(htmlOf('Base', {}))).toEqual(['41.3 ms']);
  expect(textsOf(htmlOf('Total', {}))).toEqual(['2 314 ms']);
  expect(htmlOf('Viewport', {})).toContain('There is no value. The Visit shows why.');
  expect(htmlOf('Viewport', { status: 'failed' })).toContain('The Visit failed.');
});
