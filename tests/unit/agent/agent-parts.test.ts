import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { readHostFacts } from '#agent/host/read-host-facts.ts';
import { runScript } from '#agent/scripts/run-script.ts';
import { readSnapshot } from '#controller/visits/compressed-snapshot.ts';
import { asStorable } from '#core/agent/pass-runner.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { VisitSpool } from '#agent/spool/visit-spool.ts';
import { toSentVisit } from '#core/protocol/sent-visit.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { mostFrames } from '#core/metrics/snapshot-bounds.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { HostFactsSchema } from '#core/protocol/host-facts.ts';
import { VisitOutcomeSchema, type Visit, type VisitOutcome } from '#core/protocol/visit.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'http-ae-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('the spool', () => {
  const visit = (sequence: number): Visit => ({
    id: randomUUID(),
    passId: randomUUID(),
    sequence,
    url: 'http://origin.test/',
    repetition: 1,
    startedEpochMs: 1_700_000_000_000.25,
    clockOffsetMs: 0,
    clockErrorMs: 0.1,
    outcome: { status: 'failed', code: 'dns-failure', detail: 'net::ERR_NAME_NOT_RESOLVED', snapshot: null },
  });

  const sentOf = (each: Visit) => ({ visit: toSentVisit(each, null), snapshot: null });

  it('keeps Visits over a restart until they are forgotten, oldest first', () => {
    const file = path.join(folder, 'spool.sqlite');
    const visits = [visit(0), visit(1), visit(2)];
    {
      using database = openSpoolDatabase(file);
      const spool = new VisitSpool(database);
      for (const each of visits) spool.add(each);
    }
    using database = openSpoolDatabase(file);
    const spool = new VisitSpool(database);
    expect(spool.nextBatch()).toEqual(visits.map(sentOf));
    spool.forget([visits[0]!.id]);
    spool.setAside([visits[1]!.id], 'unknown Pass');
    expect(spool.nextBatch()).toEqual([sentOf(visits[2]!)]);
    expect(spool.countWaiting()).toBe(1);
  });

  it('names its file and what it needs where a Visit cannot be kept', () => {
    using database = openSpoolDatabase(path.join(folder, 'spool.sqlite'));
    database.exec('pragma max_page_count = 1'); // as on a full disk
    const spool = new VisitSpool(database);
    const fill = () => {
      for (let sequence = 0; sequence < 1000; sequence++) spool.add(visit(sequence));
    };
    expect(fill).toThrow(
      /^Results cannot be kept in .*spool\.sqlite \(database or disk is full\): it needs room on its disk/,
    );
  });

  it('compresses Snapshots, and those in the spool of an older version when they are read', () => {
    const file = path.join(folder, 'spool.sqlite');
    const snapshot = makePageSnapshot({ url: 'http://origin.test/', totalMs: 100 }, 70);
    const [one, other] = [visit(0), visit(1)].map((each): Visit => ({ ...each, outcome: { status: 'ok', snapshot } }));
    {
      using old = new DatabaseSync(file);
      old.exec(
        'create table visit (sequence integer primary key autoincrement, id text not null unique, pass_id text not null, body text not null, refusal text)',
      );
      old
        .prepare('insert into visit (id, pass_id, body) values (?, ?, ?)')
        .run(one!.id, one!.passId, JSON.stringify(one));
    }
    using database = openSpoolDatabase(file);
    const spool = new VisitSpool(database);
    spool.add(other!);
    const batch = spool.nextBatch();
    expect(batch.map(({ visit: { id } }) => id)).toEqual([one!.id, other!.id]);
    for (const { visit: sent, snapshot: compressed } of batch) {
      expect(sent.outcome).toEqual({ status: 'ok', snapshotBytes: compressed!.length });
      expect(compressed!.length).toBeLessThan(JSON.stringify(snapshot).length / 5);
      expect(readSnapshot(compressed!)).toEqual(snapshot);
    }
  });

  it('belongs to one process at a time', () => {
    const file = path.join(folder, 'spool.sqlite');
    using held = openSpoolDatabase(file);
    expect(new VisitSpool(held).countWaiting()).toBe(0);
    expect(() => openSpoolDatabase(file)).toThrow('Another Agent of this name runs on this machine already');
  });

  it('is not taken for that of another Agent where it cannot be opened', () => {
    const file = path.join(folder, 'spool.sqlite');
    writeFileSync(file, 'no database, and longer than the head of one: '.repeat(10));
    expect(() => openSpoolDatabase(file)).toThrow(`Results cannot be kept in ${file} (file is not a database)`);
  });

  it('gives batches of bounded size', () => {
    using database = openSpoolDatabase(path.join(folder, 'spool.sqlite'));
    const spool = new VisitSpool(database);
    for (let sequence = 0; sequence < 60; sequence++) spool.add(visit(sequence));
    expect(spool.nextBatch()).toHaveLength(50);
    // Two of 0.6 MB each are more than a batch may have.
    database.exec(`update visit set body = body || '${' '.repeat(600_000)}'`);
    expect(spool.nextBatch()).toHaveLength(1);
  });

  it('sets aside what it cannot read, and gives what waits behind it', () => {
    using database = openSpoolDatabase(path.join(folder, 'spool.sqlite'));
    const spool = new VisitSpool(database);
    const readable = visit(60);
    for (let sequence = 0; sequence < 60; sequence++) spool.add({ ...visit(sequence), url: 'x'.repeat(5000) });
    spool.add(readable);
    expect(spool.nextBatch()).toEqual([sentOf(readable)]);
    expect(spool.countWaiting()).toBe(1);
  });
});

describe('an outcome', () => {
  const snapshot = makeSnapshot({ url: 'http://origin.test/', totalMs: 300 });
  const frame = snapshot.frames[0]!;

  it('is stored as it is where a Visit can hold it', () => {
    const outcome: VisitOutcome = { status: 'ok', snapshot };
    expect(asStorable(outcome)).toBe(outcome);
  });

  it.each<[string, Partial<Snapshot>, string]>([
    ['too many frames', { frames: Array.from({ length: mostFrames + 1 }, () => frame) }, 'snapshot.frames: '],
    [
      'an address that is too long',
      { frames: [{ ...frame, prefetchUrls: [`data:,${'x'.repeat(70_000)}`] }] },
      'snapshot.frames[0].prefetchUrls[0]: ',
    ],
    [
      'more faults than are reported',
      { frames: [{ ...frame, prefetchUrls: Array<string>(100).fill('x'.repeat(70_000)) }] },
      'snapshot.frames[0].prefetchUrls[9]: ',
    ],
  ])('of a page with %s is a failed Visit, which says what was too much', (_, excess, place) => {
    const stored = asStorable({ status: 'ok', snapshot: { ...snapshot, ...excess } });
    expect(VisitOutcomeSchema.parse(stored)).toMatchObject({ status: 'failed', code: 'engine-error', snapshot: null });
    expect(stored).toHaveProperty('detail', expect.stringContaining(place));
  });
});

test('a host with more interfaces and addresses than are reported is reported all the same', () => {
  const address = {
    address: '192.0.2.7',
    netmask: '255.255.255.0',
    family: 'IPv4',
    mac: '02:00:00:00:00:01',
    internal: false,
    cidr: '192.0.2.7/24',
  } as const;
  const addresses = Array<typeof address>(65).fill(address);
  vi.spyOn(os, 'networkInterfaces').mockReturnValue(
    Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`veth${index}`, addresses])),
  );
  const { interfaces } = HostFactsSchema.parse(
    readHostFacts({ engines: [], scriptsAllowed: false, anyPreferenceAllowed: false, origin: null, testbed: null }),
  );
  expect(interfaces).toHaveLength(256);
  expect(interfaces[0]).toEqual({ name: 'veth0', addresses: Array<string>(64).fill('192.0.2.7') });
});

describe('a script', () => {
  const options = {
    timeoutMs: 10_000,
    environment: { HTTP_AE_SCENARIO: 'HTTP PEP' },
    signal: new AbortController().signal,
  };

  it('reports its status and what it printed, and stops at the first command that fails', async () => {
    expect(await runScript('echo "$HTTP_AE_SCENARIO"; echo trouble >&2; false; echo never', options)).toMatchObject({
      exitCode: 1,
      isTimedOut: false,
      output: 'HTTP PEP\ntrouble\n',
    });
    expect(await runScript('exit 0', options)).toMatchObject({ exitCode: 0, output: '' });
  });

  it('ends at its time limit with all that it started', async () => {
    const result = await runScript('sleep 600 & echo $!; wait', { ...options, timeoutMs: 1500 });
    expect(result).toMatchObject({ exitCode: null, isTimedOut: true });
    expect(isRunning(Number(result.output))).toBe(false);
  });

  it('is seen to run while it does', () => {
    expect(isRunning(process.pid)).toBe(true);
  });

  it('may leave a daemon behind without waiting for it', async () => {
    const result = await runScript('setsid sleep 600 & echo $!', options);
    expect(result.exitCode).toBe(0);
    expect(isRunning(Number(result.output))).toBe(true);
    process.kill(Number(result.output), 'SIGKILL');
  });

  it('that a signal has ended may be broken off while its last output is waited for', async () => {
    const abortion = new AbortController();
    const file = path.join(folder, 'pid');
    const running = runScript(`echo $$ > '${file}'; setsid sleep 600 & echo $!; kill -KILL $$`, {
      ...options,
      signal: abortion.signal,
    });
    await vi.waitUntil(
      () => existsSync(file) && /\n/.test(readFileSync(file, 'utf8')) && !isListed(Number(readFileSync(file, 'utf8'))),
      { interval: 5, timeout: 8000 },
    );
    abortion.abort();
    const result = await running;
    expect(result).toMatchObject({ exitCode: null, isTimedOut: false });
    process.kill(Number(result.output), 'SIGKILL');
  });

  it('does not get the token of the Agent', async () => {
    vi.stubEnv('HTTP_AE_TOKEN', 'hae_secret');
    expect(await runScript('echo "${HTTP_AE_TOKEN-none} ${PATH:+a path}"', options)).toMatchObject({
      output: 'none a path\n',
    });
  });

  it('says how much of a long output it left out', async () => {
    const { output } = await runScript('head -c 200000 /dev/zero | tr "\\0" x', options);
    expect(output.length).toBeLessThan(70_000);
    expect(output).toContain(`[${200_000 - 65_536} bytes left out]`);
  });
});

/** A killed process may stay in the table as a zombie where nobody reaps it: that one does not run. */
function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

function isListed(pid: number): boolean {
  return spawnSync('ps', ['-p', String(pid)]).status === 0;
}
