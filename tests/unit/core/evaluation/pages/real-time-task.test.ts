import { describe, expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { listVisits } from '#core/evaluation/pages/list-visits.ts';
import { expandUrlEntry, UrlEntrySchema } from '#core/evaluation/pages/url-entry.ts';

const chat = { task: 'chat', by: 'websocket', origin: 'http://198.19.0.1:8080' };
const evaluationOf = (entry: unknown, engine = 'chrome') => ({
  name: 'Tasks',
  urlLists: { tasks: [entry] },
  userAgents: [{ name: 'A', host: 'a', urlList: 'tasks', engine }],
  scenarios: [{ name: 'One', baseline: true, variables: { by: 'sse' } }],
});
const problemsOf = (input: unknown) =>
  EvaluationSchema.safeParse(input).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('a task in a URL list', () => {
  test('is short for the address of its page and what ends it', () => {
    expect(UrlEntrySchema.parse({ ...chat, label: 'Chat', visits: 3 })).toEqual({
      url: 'http://198.19.0.1:8080/task/chat?by=websocket&messages=100&payloadBytes=100&gapMs=200',
      until: 'performance mark http-ae-end',
      label: 'Chat',
      visits: 3,
    });
  });

  test('has the latency from which on messages are late in its address, if it states one', () => {
    expect(UrlEntrySchema.parse({ ...chat, lateAfterMs: 400 })).toMatchObject({
      url: expect.stringMatching(/&gapMs=200&lateAfterMs=400$/) as unknown,
    });
    expect(problemsOf(evaluationOf({ ...chat, lateAfterMs: 0 }))).toEqual([
      expect.stringMatching(/^urlLists.tasks.0.lateAfterMs: /),
    ]);
  });

  test('may have variables of the Scenario', () => {
    const evaluation = EvaluationSchema.parse(evaluationOf({ ...chat, by: '{by}', origin: 'http://{by}' }));
    expect(listVisits(evaluation, evaluation.userAgents[0]!, evaluation.scenarios[0]!)).toEqual([
      {
        page: 'http://{by}/task/chat?by={by}&messages=100&payloadBytes=100&gapMs=200',
        url: 'http://sse/task/chat?by=sse&messages=100&payloadBytes=100&gapMs=200',
        repetition: 1,
        untilMark: 'http-ae-end',
      },
    ]);
  });

  test.for([
    [{ ...chat, task: 'dance' }, /^urlLists.tasks.0.task: must be server-update, client-update, chat/],
    [{ ...chat, by: 'pigeon' }, /^urlLists.tasks.0.by: must be long-polling, sse, websocket/],
    [{ ...chat, messages: 1001 }, /^urlLists.tasks.0.messages: /],
    [{ ...chat, origin: 'origin.example' }, /^urlLists.tasks.0.origin: must be the address of an origin/],
    [{ ...chat, colour: 'red' }, /^urlLists.tasks.0.*colour/],
  ] as const)('%o is refused with its place', ([entry, problem]) => {
    expect(problemsOf(evaluationOf(entry))).toEqual([expect.stringMatching(problem)]);
  });
});

describe('until', () => {
  test('goes with each page of a pattern', () => {
    const entry = UrlEntrySchema.parse({ url: 'http://a.test/{1,2}', until: 'performance mark all done' });
    expect(expandUrlEntry(entry).map(({ until }) => until)).toEqual(Array(2).fill('performance mark all done'));
  });

  test.for(['all done', 'performance mark ', `performance mark ${'x'.repeat(257)}`])('"%s" is refused', (until) => {
    expect(problemsOf(evaluationOf({ url: 'http://a.test/', until }))).toEqual([
      expect.stringMatching(/^urlLists.tasks.0.until: must /),
    ]);
  });

  test('needs an engine that runs scripts', () => {
    expect(problemsOf(evaluationOf(chat, 'http'))).toEqual([
      'userAgents.0.engine: runs no scripts, so no page of "tasks" sets a mark to wait for: choose chrome, firefox or extension',
    ]);
  });
});
