import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { idOfHost } from '#cli/hosts/remote/make-script.ts';

interface SshdOptions {
  /** The words that enter the namespace. */
  enter: readonly string[];
  address: string;
  port: number;
  /** For keys, and what the host has of its own. */
  folder: string;
  /** Further lines of its configuration. */
  settings?: readonly string[];
  /** By which it lets root in, besides by the key. */
  password?: string;
}

export interface Sshd extends AsyncDisposable {
  /** What the host has in its own home and in `/var/lib`. */
  ownFolder: string;
  /** A configuration for ssh by which it gets in; `-F` names it. */
  configOf: (change?: { key?: string; knownHosts?: string; settings?: readonly string[] }) => Promise<string>;
  /** As in known_hosts. */
  hostKey: string;
  /** The private key of one who may get in. */
  key: string;
  /** The private key of nobody who may get in. */
  foreignKey: string;
}

/** A real sshd for root in a network namespace, with a home and a `/var/lib` of its own. Disposing of it ends it and its sessions. */
export async function startSshd({ enter, address, port, folder, settings = [], password }: SshdOptions): Promise<Sshd> {
  const of = (name: string) => path.join(folder, name);
  const ownFolder = of('own');
  for (const each of ['own/home', 'own/lib']) await mkdir(of(each), { recursive: true });
  for (const key of ['host-key', 'key', 'foreign-key'])
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', of(key)], { stdio: 'inherit' });
  await writeFile(
    of('sshd_config'),
    [
      `ListenAddress ${address}`,
      `Port ${port}`,
      `HostKey ${of('host-key')}`,
      `AuthorizedKeysFile ${of('key')}.pub`,
      ...(password === undefined ? ['PasswordAuthentication no'] : ['PermitRootLogin yes']),
      'UsePAM no',
      'StrictModes no',
      `PidFile ${of('sshd.pid')}`,
      `SetEnv HOME=${ownFolder}/home PATH=${process.env.PATH ?? ''}`,
      ...settings,
      '',
    ].join('\n'),
  );
  let ownPassword = '';
  if (password !== undefined) {
    // The machine keeps its own.
    const { stdout: hash } = spawnSync('openssl', ['passwd', '-6', '-stdin'], { input: password, encoding: 'utf8' });
    await writeFile(of('own/shadow'), `root:${hash.trim()}:20000:0:99999:7:::\n`, { mode: 0o600 });
    ownPassword = 'mount --bind "$1/shadow" /etc/shadow && ';
  }
  const script = `mount --bind "$1/lib" /var/lib && ${ownPassword}mkdir -p /run/sshd && exec /usr/sbin/sshd -D -e -f "$2"`;
  const words = [...enter, 'unshare', '--mount', '--', 'sh', '-c', script, 'sh', ownFolder, of('sshd_config')];
  const child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  const lines = createInterface(child.stderr);
  await new Promise<void>((resolve, reject) => {
    const said: string[] = [];
    lines.on('line', (line) => {
      said.push(line);
      if (line.startsWith('Server listening')) resolve();
    });
    void closed.then(() => reject(new Error(`sshd ended: ${said.join('\n')}`)));
  });
  const hostKey = (await readFile(of('host-key.pub'), 'utf8')).trim();
  await writeFile(of('known_hosts'), `[${address}]:${port} ${hostKey}\n`);

  let configs = 0;
  return {
    ownFolder,
    key: of('key'),
    foreignKey: of('foreign-key'),
    hostKey,
    configOf: async ({ key = of('key'), knownHosts = of('known_hosts'), settings: own = [] } = {}) => {
      const file = of(`config-${configs++}`);
      const usual = [`IdentityFile ${key}`, 'IdentitiesOnly yes', `UserKnownHostsFile ${knownHosts}`];
      const lines = [...usual, 'GlobalKnownHostsFile none', ...own];
      await writeFile(file, `Host *\n${lines.map((line) => `  ${line}\n`).join('')}`);
      return file;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** What a host has of an earlier start: `npm ci` would take minutes. Links, so that nothing at the host changes what the tests have. */
export function installDependencies({ ownFolder }: Sshd, name: string): void {
  const from = path.resolve(import.meta.dirname, '../../../node_modules');
  const to = path.join(ownFolder, 'lib', 'http-ae-hosts', idOfHost(name), 'program', 'node_modules');
  for (const scope of readdirSync(from).filter((each) => each.startsWith('@'))) {
    mkdirSync(path.join(to, scope), { recursive: true });
    for (const each of readdirSync(path.join(from, scope)))
      symlinkSync(path.join(from, scope, each), path.join(to, scope, each));
  }
  for (const each of readdirSync(from).filter((one) => !/^@|^\.http-ae/.test(one)))
    symlinkSync(path.join(from, each), path.join(to, each));
  cpSync(path.join(from, '.http-ae-stamp'), path.join(to, '.http-ae-stamp'));
}
