import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import type { LocalAccess } from '#cli/controller/controller-access.ts';
import { joinFromPage } from '#cli/hosts/join-from-page.ts';
import { idOfHost } from '#cli/hosts/remote/make-script.ts';
import { HostJoinSchema, HostJoinsSchema, type HostJoin } from '#core/protocol/api/host-join.ts';
import { postJson, startTestController, type Send, type TestController } from '#tests/support/controller.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { installDependencies, startSshd, type Sshd } from './start-sshd.ts';

/** A real sshd, which lets root in by a key and by this password. */
export const password = 'Korrekt-Pferd-%s"\\ 7';

export class PageLogins {
  /** Of the host. Files that run side by side need different ones, as their hosts are on one machine. */
  readonly name: string;
  it!: TestController;
  admin!: Send;
  sshd!: Sshd;
  port!: number;
  knownHosts!: string;
  /** Of the tests. */
  folder!: string;
  readonly #resources = new AsyncDisposableStack();
  readonly #logged: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  async start(): Promise<void> {
    this.folder = this.#resources.use(await makeTemporaryFolder()).path;
    const homeFolder = path.join(this.folder, 'home');
    this.knownHosts = path.join(homeFolder, 'known_hosts');
    process.env.TMPDIR = path.join(this.folder, 'temporary');
    for (const each of [homeFolder, process.env.TMPDIR]) await mkdir(each);
    this.port = await findFreePort();
    const place = { enter: [], address: '127.0.0.1', port: this.port };
    this.sshd = this.#resources.use(await startSshd({ ...place, folder: path.join(this.folder, 'sshd'), password }));
    installDependencies(this.sshd, this.name);

    const ownerToken = 'hae_owner_of-this-test';
    const access = Promise.withResolvers<LocalAccess>();
    const hostJoining = joinFromPage({ homeFolder, access: access.promise });
    const log = pino(
      { level: 'trace' },
      new PassThrough().on('data', (text) => this.#logged.push(String(text))),
    );
    this.it = this.#resources.use(await startTestController({ hostJoining, ownerToken, log }));
    const { localUrl: url } = this.it.controller;
    access.resolve({ url, publicUrl: url, token: '', ownerToken, holder: '' });
    this.admin = (await this.it.signIn()).browser;
  }

  async stop(): Promise<void> {
    await this.#resources.disposeAsync();
    // A host without a service keeps its temporary folder until "hosts down".
    await rm(`/tmp/hae-${idOfHost(this.name)}`, { recursive: true, force: true });
  }

  get target(): string {
    return `root@127.0.0.1:${this.port}`;
  }

  get fingerprint(): string {
    const { stdout } = spawnSync('ssh-keygen', ['-lf', '-'], { input: this.sshd.hostKey, encoding: 'utf8' });
    return stdout.split(' ')[1]!;
  }

  /** By the password, unless `change` says otherwise. */
  async begin(change: object = {}): Promise<HostJoin> {
    const login = { kind: 'password', password };
    const request = { name: this.name, address: '127.0.0.1', port: this.port, user: 'root', login, ...change };
    const answer = await this.admin('/api/host-joins', postJson(request));
    return HostJoinSchema.parse(await answer.json());
  }

  async find(id: string): Promise<HostJoin | undefined> {
    const { joins } = HostJoinsSchema.parse(await (await this.admin('/api/host-joins')).json());
    return joins.find((each) => each.id === id);
  }

  /** As it is when it is connecting no more, and what all processes of the machine had in arguments and environments on the way. */
  async watch(change: object = {}): Promise<{ join: HostJoin; processes: string }> {
    const { id } = await this.begin(change);
    const seen: string[] = [];
    const isConnecting = async () => {
      seen.push(readProcesses());
      return (await this.find(id))?.state === 'connecting';
    };
    await expect.poll(isConnecting, { timeout: 100_000, interval: 200 }).toBe(false);
    return { join: (await this.find(id))!, processes: seen.join('\n') };
  }

  async join(change: object = {}): Promise<HostJoin> {
    return (await this.watch(change)).join;
  }

  async end({ id, name }: HostJoin): Promise<void> {
    expect((await this.admin(`/api/host-joins/${id}`, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(() => this.it.controller.agents.isConnected(name)).toBe(false);
  }

  /** All that the Controller has stored, logged and answers. Besides, no temporary file is left. */
  async readTraces(): Promise<string> {
    const { pool } = this.it.controller;
    const { rows: tables } = await pool.query<{ name: string }>(
      "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    const dump: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query<{ text: string }>(`select each::text as text from ${name} each`);
      dump.push(...rows.map(({ text }) => text));
    }
    expect(readdirSync(process.env.TMPDIR!).filter((each) => each.startsWith('hae-ssh-'))).toEqual([]);
    const known = existsSync(this.knownHosts) ? ['known_hosts'] : [];
    expect(readdirSync(path.dirname(this.knownHosts))).toEqual(known);
    return [...dump, ...this.#logged, await (await this.admin('/api/host-joins')).text()].join('\n');
  }
}

/** For the tests of a file. */
export function usePageLogins(name: string): PageLogins {
  const logins = new PageLogins(name);
  beforeAll(() => logins.start());
  afterAll(() => logins.stop());
  return logins;
}

function readProcesses(): string {
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return ''; // it has ended
    }
  };
  const pids = readdirSync('/proc').filter((each) => /^\d+$/.test(each));
  return pids.flatMap((pid) => [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)]).join('\n');
}
