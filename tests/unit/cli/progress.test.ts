import { expect, test } from 'vitest';
import { ProgressPrinter, describeProgress } from '#cli/progress/progress-printer.ts';
import type { RoundProgress, RunDetail } from '#core/protocol/api/run.ts';
import { samplePass, sampleRound, sampleRun } from '#tests/support/sample-run.ts';

const round = (own: Partial<RoundProgress>): RoundProgress =>
  sampleRound({
    scenario: 'HTTP/2',
    totals: { visitsMade: 5, visitsFailed: 0, visitsUnsettled: 0, visitsRefused: 0, failures: {} },
    passes: [
      samplePass({ id: 'a3d1a5c6-7e2b-4c58-9f0e-2b1f6f3c9a01', userAgent: 'alice', visitsMade: 3 }),
      samplePass({ id: 'a3d1a5c6-7e2b-4c58-9f0e-2b1f6f3c9a02', userAgent: 'bob', visitsMade: 2 }),
    ],
    ...own,
  });

const runWith = (own: Partial<RunDetail>) =>
  sampleRun({ roundsPlanned: 12, roundsCompleted: 4, visits: 40, rounds: [round({})], ...own });

class Screen {
  readonly isTTY: boolean;
  readonly columns = 60;
  text = '';
  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }
  write(text: string): void {
    this.text += text;
  }
}

test.for<[Partial<RunDetail>, string]>([
  [{}, 'Run 7: 4 of 12 Rounds, 45 Visits; Block 1, HTTP/2: alice 3/5, bob 2/5'],
  [{ startedAt: '2026-11-20T12:00:00Z', rounds: [] }, 'Run 7: 4 of 12 Rounds, 40 Visits, about 4 min left'],
  [{ startedAt: '2026-11-20T12:00:00Z', roundsCompleted: 0, rounds: [] }, 'Run 7: 0 of 12 Rounds, 40 Visits'],
  [
    { rounds: [round({ attempt: 2 })] },
    'Run 7: 4 of 12 Rounds, 45 Visits; Block 1, HTTP/2, attempt 2: alice 3/5, bob 2/5',
  ],
  [
    { rounds: [round({ warmUp: true, passes: [], state: 'preparing' })] },
    'Run 7: 4 of 12 Rounds, 40 Visits; warm-up, HTTP/2: preparing',
  ],
  [{ rounds: [round({ state: 'completed' })] }, 'Run 7: 4 of 12 Rounds, 40 Visits'],
  [{ diskProblem: 'The disk of /x is full' }, 'Run 7: 4 of 12 Rounds, 45 Visits; waiting. The disk of /x is full'],
  [{ missingAgents: ['demo', 'second'] }, 'Run 7: waiting for the Agents demo, second'],
  [
    { pausedAt: '2026-11-20T12:05:00Z' },
    'Run 7: 4 of 12 Rounds, 45 Visits; Block 1, HTTP/2: alice 3/5, bob 2/5; paused after this Round',
  ],
  [
    { pausedAt: '2026-11-20T12:05:00Z', rounds: [round({ state: 'completed' })] },
    'Run 7: 4 of 12 Rounds, 40 Visits; paused',
  ],
  [{ state: 'pending' }, 'Run 7: waiting for its turn'],
  [
    {
      state: 'pending',
      waitsFor: [
        { runId: '5', evaluationName: 'Other', kind: 'host', names: ['ground'] },
        { runId: '6', evaluationName: 'Other', kind: 'rule', names: [] },
      ],
    },
    'Run 7: waiting for Run 5: host ground, and for 1 more',
  ],
  [{ state: 'stopping' }, 'Run 7 is stopping: 4 of 12 Rounds, 45 Visits'],
  [{ state: 'completed', roundsCompleted: 12 }, 'Run 7 completed: 12 of 12 Rounds, 45 Visits'],
])('a Run with %j is described', ([own, line]) => {
  expect(describeProgress(runWith(own), { nowEpochMs: Date.parse('2026-11-20T12:02:00Z') })).toBe(line);
});

test('on a terminal one line changes, fits the width, and stands at the end', () => {
  const screen = new Screen(true);
  {
    using printer = new ProgressPrinter(screen);
    printer.show(runWith({}));
    printer.show(runWith({}));
    printer.show(runWith({ state: 'completed', roundsCompleted: 12 }));
  }
  const clear = '\r\u001B[2K';
  expect(screen.text).toBe(
    `${clear}Run 7: 4 of 12 Rounds, 45 Visits; Block 1, HTTP/2: alice 3/${clear}Run 7 completed: 12 of 12 Rounds, 45 Visits\n`,
  );
});

test('elsewhere there is a line for each Round that ended, not for each Visit', () => {
  const screen = new Screen(false);
  using printer = new ProgressPrinter(screen);
  printer.show(runWith({}));
  printer.show(runWith({ rounds: [round({ passes: [] })] }));
  printer.show(runWith({ roundsCompleted: 5 }));
  expect(screen.text.split('\n')).toEqual([
    'Run 7: 4 of 12 Rounds, 45 Visits; Block 1, HTTP/2',
    'Run 7: 5 of 12 Rounds, 45 Visits; Block 1, HTTP/2',
    '',
  ]);
});

test('a broken Round is shown once, with its reason', () => {
  const screen = new Screen(false);
  using printer = new ProgressPrinter(screen);
  const rounds = [round({ state: 'broken', problem: 'the Agent demo is gone' }), round({ id: 'r2', attempt: 2 })];
  printer.show(runWith({ rounds }));
  printer.show(runWith({ rounds }));
  expect(screen.text.match(/broken/g)).toHaveLength(1);
  expect(screen.text).toContain('Round 1 (HTTP/2), attempt 1, is broken: the Agent demo is gone\n');
});

test('what a script printed is shown once where it fails, and not where it does its work', () => {
  const script = {
    roundId: 'r1',
    phase: 'set-up',
    host: 'proxy',
    exitCode: 0,
    isTimedOut: false,
    durationMs: 3,
    output: 'all is well\n',
  } as const;
  const failed = { ...script, exitCode: 3, output: `${'line\n'.repeat(50)}no such \u001b[31mproxy\n` };
  const screen = new Screen(false);
  using printer = new ProgressPrinter(screen);
  for (const scripts of [
    [script],
    [script, failed],
    [script, failed, { ...failed, phase: 'tear-down' as const, exitCode: null, isTimedOut: true, output: '' }],
  ])
    printer.show(runWith({ scripts }));
  expect(screen.text).not.toContain('all is well');
  expect(screen.text).toContain(
    'The set-up script on host "proxy" ended with status 3; the last 40 lines of its output:\n  | line\n',
  );
  expect(screen.text.match(/no such/g)).toHaveLength(1);
  expect(screen.text).not.toContain('\u001b');
  expect(screen.text).toContain('The tear-down script on host "proxy" timed out and printed nothing\n');
});
