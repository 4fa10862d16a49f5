import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findLocalController } from '#cli/controller/controller-access.ts';
import { ControllerClient } from '#cli/controller/controller-client.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/**
 * How long a bare Debian takes to join by `hosts up`, and what `down` leaves there: `./http-ae hosts --help && node bench/join-over-ssh.ts [TIMES] [FILE…]`, as root, with mmdebstrap.
 * The hosts are roots with openssh-server in PID namespaces of this machine. FILEs of this machine, such as /root/.npmrc, are put there, and variables for proxies and certificates.
 */
const times = Number(process.argv[2] ?? 3);
const siteFiles = process.argv.slice(3);
const siteVariables = ['NODE_EXTRA_CA_CERTS', 'http_proxy', 'https_proxy', 'no_proxy'];

await using folder = await makeTemporaryFolder('http-ae-bench-');
const of = (name: string) => path.join(folder.path, name);
const port = await findFreePort();
makeRoot();
const environment = { HOME: folder.path, HTTP_AE_HOME: of('home') };
await using controller = new CliProcess(['up', '--port', '0', '--json'], environment);
await controller.firstLine();
const rows = [];
for (let time = 0; time < times; time++) rows.push(await joinOnce(of(`root-${time}`)));
console.table(rows);

/** As mmdebstrap makes it, and what an administrator would have done. */
function makeRoot(): void {
  const root = of('root');
  const suite = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))![1]!;
  execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', '--include=openssh-server', suite, root], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const file of siteFiles) cpSync(file, path.join(root, file), { dereference: true });
  const variables = siteVariables.flatMap((name) => (process.env[name] ? [`${name}=${process.env[name]}\n`] : []));
  writeFileSync(path.join(root, 'etc/environment'), variables.join(''));
  writeFileSync(path.join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  writeFileSync(path.join(root, 'etc/ssh/sshd_config.d/bench.conf'), `Port ${port}\nListenAddress 127.0.0.1\n`);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', of('key')]);
  mkdirSync(path.join(root, 'root/.ssh'), { recursive: true, mode: 0o700 });
  cpSync(of('key.pub'), path.join(root, 'root/.ssh/authorized_keys'));
  const ssh = `-i ${of('key')} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null`;
  const host = `{ ansible_host: 127.0.0.1, ansible_port: ${port}, ansible_user: root, ansible_ssh_common_args: ${ssh} }`;
  writeFileSync(of('hosts.yaml'), `all: { hosts: { bare: ${host} } }\n`);
}

async function joinOnce(root: string): Promise<Record<string, unknown>> {
  execFileSync('cp', ['-a', of('root'), root]);
  try {
    await using host = await startHost(root);
    const startMs = performance.now();
    const sinceStart = () => ((performance.now() - startMs) / 1000).toFixed(1);
    await using up = new CliProcess(['hosts', 'up', '--json', '--inventory', of('hosts.yaml')], environment);
    up.child.stderr!.on('data', (said: string) => process.stdout.write(`${sinceStart()} s  ${said}`));
    await up.firstLine();
    const seconds = Number(sinceStart());
    const access = await findLocalController(environment.HTTP_AE_HOME);
    const [agent] = await new ControllerClient(access, AbortSignal.timeout(10_000)).listAgents();
    const down = await runCli(['hosts', 'down', '--inventory', of('hosts.yaml')], environment);
    await up.untilEnded();
    return {
      seconds,
      connected: agent?.isConnected,
      engines: agent?.facts.engines.map(({ engine }) => engine).join(', '),
      down: down.exitCode,
      'processes left': host.listProcesses().filter((name) => !name.startsWith('sshd')).length,
      'files left':
        existsSync(path.join(root, 'var/lib/http-ae-hosts')) || readdirSync(path.join(root, 'tmp')).length > 0,
    };
  } finally {
    execFileSync('rm', ['-rf', root]);
  }
}

/** Its sshd, in a chroot. All processes and mounts of it end with the one that has made their namespaces. */
async function startHost(root: string): Promise<AsyncDisposable & { listProcesses: () => string[] }> {
  const script = [
    'mount -t proc proc "$1/proc"',
    'mount --rbind /sys "$1/sys"',
    'mount --rbind /dev "$1/dev"',
    'mount -t tmpfs tmpfs "$1/dev/shm"',
    'mkdir -p "$1/run/sshd"',
    'exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin /usr/sbin/sshd -D -e',
  ].join(' && ');
  const words = [
    '--pdeathsig',
    'KILL',
    'unshare',
    '-m',
    '-p',
    '-f',
    '--kill-child',
    '--',
    'sh',
    '-c',
    script,
    'sh',
    root,
  ];
  const child = spawn('setpriv', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('Server listening'))
    await Promise.race([
      once(child.stderr, 'data'),
      closed.then(() => Promise.reject(new Error(`sshd ended: ${said}`))),
    ]);
  const namespace = readlinkSync(`/proc/${child.pid}/ns/pid_for_children`);
  const readProcess = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`) === namespace ? [readFileSync(`/proc/${pid}/comm`, 'utf8')] : [];
    } catch {
      return []; // it has ended by now
    }
  };
  return {
    listProcesses: () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap(readProcess),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
