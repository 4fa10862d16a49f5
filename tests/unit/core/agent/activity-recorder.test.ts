import { expect, test } from 'vitest';
import { ActivityRecorder } from '#core/agent/page-activity/activity-recorder.ts';
import type { ActivityEvent } from '#core/agent/page-activity/activity-event.ts';
import { answered, began, came, ended, endsOf, main, page, play } from './support/play-activity.ts';

/** A recorder on a clock that the test holds, and how often what waits for a change was resumed. */
function record() {
  const clock = { nowMs: 1000 };
  const recorder = new ActivityRecorder(main, () => clock.nowMs);
  const resumed = { times: 0 };
  const listen = async () => {
    while (true) {
      await recorder.nextActivity;
      resumed.times++;
    }
  };
  void listen();
  /** Whether the step resumed it. */
  const resumes = async (step: () => void) => {
    const before = resumed.times;
    step();
    await new Promise(setImmediate);
    return resumed.times > before;
  };
  const apply = (...events: readonly ActivityEvent[]) =>
    resumes(() => {
      for (const event of structuredClone(events)) recorder.apply(event);
    });
  return { recorder, clock, resumes, apply };
}

test('what waits for a change of a page is resumed by each, and knows how long there was none', async () => {
  const { recorder, clock, apply, resumes } = record();
  clock.nowMs = 1300;
  expect(recorder.quietForMs).toBe(300);
  expect(await apply(...page)).toBe(true);
  expect(recorder.quietForMs).toBe(0);
  clock.nowMs = 1500;
  expect(recorder.quietForMs).toBe(200);
  expect(await resumes(() => recorder.noteLoaded())).toBe(true);
  expect([recorder.quietForMs, recorder.isQuiet()]).toEqual([0, true]);
  clock.nowMs = 1600;
  expect(await apply(began('image', 30, { type: 'image' }))).toBe(true);
  expect([recorder.quietForMs, recorder.isQuiet()]).toEqual([0, false]);
  expect(recorder.awaited.map(({ id }) => id)).toEqual(['image']);
  clock.nowMs = 1900;
  expect(await apply(ended('image', 40))).toBe(true);
  expect([recorder.quietForMs, recorder.isQuiet()]).toEqual([0, true]);
});

test('an event that changes nothing of what settling waits for resumes nothing, and does not end the quiet', async () => {
  const { recorder, clock, apply } = record();
  await apply(...page, began('image', 30, { type: 'image' }), { kind: 'loaded' });
  clock.nowMs = 1200;
  expect(await apply(answered('nowhere', 50), ended('nowhere', 60))).toBe(false);
  expect(recorder.quietForMs).toBe(200);
});

test('with the next page of a journey, all that was recorded is forgotten, and the quiet begins again', async () => {
  const { recorder, clock, apply, resumes } = record();
  await apply(...page, began('image', 30, { type: 'image' }), { kind: 'loaded' });
  expect([recorder.requests.length, recorder.documents.length]).toEqual([2, 1]);
  clock.nowMs = 1700;
  expect(await resumes(() => recorder.forget())).toBe(true);
  expect([recorder.requests.length, recorder.documents.length, recorder.awaited.length]).toEqual([0, 0, 0]);
  expect([recorder.quietForMs, recorder.isQuiet(), recorder.mainDocument]).toEqual([0, false, null]);
});

test('what a page asks for as it goes ends with it, also where it was not the first of the journey', () => {
  const document = (id: string, atMs: number) => [
    began(id, atMs, { type: 'document' }),
    answered(id, atMs + 10),
    came(id, atMs + 12),
    ended(id, atMs + 20),
  ];
  const asksAsItGoes = (documentUrl: string) =>
    play(
      ...document('first', 0),
      ...document('second', 100),
      began('third', 200, { type: 'document' }),
      began('late', 205, { documentId: null, documentUrl }),
      came('third', 212),
    );
  expect(endsOf(asksAsItGoes('http://origin.test/second')).late).toEqual([212, 'document-replaced']);
  expect(endsOf(asksAsItGoes('http://origin.test/third')).late).toEqual([null, 'none']);
});
