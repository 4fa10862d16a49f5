import { expect, test } from 'vitest';
import { replayQuery } from '#web-ui/src/api/site-requests.ts';
import { ReplaySection } from '#web-ui/src/pages/visit/replay-section.tsx';
import { renderInPage, textsOf } from './support/render-in-page.ts';

const both = (recorded: number | null, replayed: number | null) => ({ recorded, replayed });
const latency = (recordedMs: number | null, replayedMs: number | null) => ({ recordedMs, replayedMs });
const comparison = {
  ...{ score: 0.9, objects: both(10, 9), bytes: both(5000, 4000), hosts: both(3, 2), connections: null },
  ...{ orderRatio: 0.5, inexact: ['http://a.test/1'], misses: [], unknownHosts: [], webSockets: [] },
  missing: Array.from({ length: 201 }, (_, index) => `http://a.test/missing/${index}`),
  latencies: { baseMs: latency(11, 12), viewportMs: latency(21, 22), totalMs: latency(null, 32) },
};

function render(replay: object): string {
  return renderInPage(ReplaySection, { visitId: '7' }, { answers: [[replayQuery('7').queryKey, replay]] });
}

test('a replayed page is held against its recording, row by row, what is not known with its reason', () => {
  const html = render({ kind: 'compared', site: { id: '1', name: 'shop' }, page: 2, comparison });
  const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) => textsOf(row!).join(' '));
  expect(rows.slice(1)).toEqual([
    'Objects 10 9',
    'Size 5.0 kB 4.0 kB',
    'Hosts 3 2',
    expect.stringMatching(/^Connections /),
    'In the recorded order 100 % 50 %',
    expect.stringMatching(/ 11\.0 ms 12\.0 ms$/),
    expect.stringMatching(/ 21\.0 ms 22\.0 ms$/),
    expect.stringMatching(/ 32\.0 ms$/),
  ]);
  const text = textsOf(html).join(' ');
  expect(text).toContain('Like its recording : 90 %');
  expect(text).toContain('1 answered with the recording of another URL');
  expect(text).toContain('201 recorded, and not requested');
  expect(text).not.toContain('not in the recording, answered by 404');
});

test('a page that is not compared says why', () => {
  const text = textsOf(render({ kind: 'absent', reason: 'Its Site was deleted' })).join(' ');
  expect(text).toContain('Not compared with its recording. Its Site was deleted.');
});
