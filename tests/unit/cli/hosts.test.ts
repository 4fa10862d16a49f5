import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { packProgram } from '#cli/hosts/pack-program.ts';
import { forEachHost } from '#cli/hosts/run-hosts-up.ts';
import { formatStatus } from '#cli/hosts/run-hosts.ts';
import { expandRange } from '#cli/hosts/inventory/resolve-hosts.ts';
import { readInventory } from '#cli/hosts/inventory/read-inventory.ts';
import { findStrayWord, splitWords } from '#cli/hosts/inventory/inventory-schema.ts';
import type { SshHost, TypedLogin } from '#cli/hosts/inventory/ssh-host.ts';
import { makeScript } from '#cli/hosts/remote/make-script.ts';
import { explainSshFailure, readCutLines } from '#cli/hosts/ssh/remote-session.ts';
import { listSshArguments, type ReverseTunnel } from '#cli/hosts/ssh/ssh-arguments.ts';
import { findUnknownKey } from '#cli/hosts/ssh/typed-login.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

async function read(text: string, limit?: string): Promise<SshHost[]> {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'hosts.yaml');
  await writeFile(file, text);
  return await readInventory(file, limit);
}

const fault = (text: string, limit?: string) =>
  read(text, limit).then(
    () => 'no fault',
    (error: unknown) => (error as Error).message.replace(/\S*hosts\.yaml/g, 'hosts.yaml'),
  );

const layered = `
all:
  vars: { ansible_user: lab, ansible_port: "22", ntp_server: 192.0.2.1 }
  hosts:
    single: { ansible_host: 192.0.2.7, ansible_become: yes }
  children:
    users:
      vars: { ansible_user: of-users, http_ae_browser: false }
      hosts: { 'user-[08:10]': }
      children:
        far: { vars: { ansible_user: of-far, ansible_ssh_common_args: '-o ProxyJump=gate -o "A b"' } }
    far:
      hosts: { user-09: { http_ae_firefox: no, http_ae_allow_scripts: true } }
`;

test('variables of the deepest group count, and those of the host before all', async () => {
  const hosts = await read(layered);
  expect(hosts.map(({ name, user, port }) => [name, user, port])).toEqual([
    ['single', 'lab', 22],
    ['user-08', 'of-users', 22],
    ['user-09', 'of-far', 22],
    ['user-10', 'of-users', 22],
  ]);
  expect(hosts[0]).toMatchObject({ address: '192.0.2.7', isRootWanted: true, sshArguments: [], agentArguments: [] });
  expect(hosts[2]).toMatchObject({
    address: 'user-09',
    isRootWanted: false,
    sshArguments: ['-o', 'ProxyJump=gate', '-o', 'A b'],
    agentArguments: ['--allow-scripts', '--no-browser', '--no-firefox'],
  });
});

test('--limit takes groups, with those in them, and hosts', async () => {
  const names = async (limit: string) => (await read(layered, limit)).map(({ name }) => name);
  expect(await names('users')).toEqual(['user-08', 'user-09', 'user-10']);
  expect(await names('far, single')).toEqual(['single', 'user-09']);
  expect(await fault(layered, 'lab-9')).toBe(
    'hosts.yaml: --limit lab-9 is no group with hosts and no host. Groups: all, far, users',
  );
});

test.for([
  ['all:\n  host:\n    a:\n', 'hosts.yaml:2: all.host: unknown key "host"; did you mean "hosts"?'],
  [
    'all:\n  hosts:\n    a:\n      ansible_hots: x\n',
    'hosts.yaml:4: all.hosts.a.ansible_hots: unknown key "ansible_hots"; did you mean "ansible_host"?',
  ],
  [
    'all:\n  hosts:\n    a: { http_ae_no_browser: true }\n',
    'unknown key "http_ae_no_browser"; known here: http_ae_allow_scripts, http_ae_browser, http_ae_firefox',
  ],
  [
    'all:\n  vars:\n    ansible_ssh_pass: x\n',
    'hosts.yaml:3: all.vars.ansible_ssh_pass: is a password, and passwords are never used',
  ],
  ['all: { hosts: { a: { ansible_host: "-oProxyCommand=x" } } }\n', 'must have no spaces, and must not begin with "-"'],
  ['all: { hosts: { a: { ansible_host: "x;touch${IFS}y" } } }\n', 'a.ansible_host: must have none of'],
  ['all: { hosts: { a: { ansible_user: "$(reboot)" } } }\n', 'a.ansible_user: must have none of'],
  ['all: { hosts: { a: { ansible_user: "-oProxyCommand=x" } } }\n', 'must not begin with "-"'],
  ['all: { hosts: { "-oProxyCommand=x": } }\n', 'the name must not begin with "-" or a space'],
  ['all: { hosts: { "a ": { ansible_host: b } } }\n', 'nor end with a space'],
  [
    'all: { hosts: { "my desk": } }\n',
    'the host "my desk" has no ansible_host, and its name is no address: it must have no',
  ],
  [
    'all: { hosts: { "`id`": } }\n',
    'the host "`id`" has no ansible_host, and its name is no address: it must have none of',
  ],
  [
    'all: { hosts: { a: { ansible_ssh_common_args: "-C other" } } }\n',
    'must be options of ssh, each with its value: "other" is none',
  ],
  ['all: { hosts: { a: { ansible_host: "{{ x }}" } } }\n', 'must be the value itself: templates'],
  ['all: { hosts: { a: { ansible_port: 70000 } } }\n', 'must be at most 65535'],
  ["all: { hosts: { a: { ansible_ssh_extra_args: '-o \"x' } } }\n", 'has a quotation mark without its partner'],
  ['all: { hosts: { a: { ansible_connection: local } } }\n', 'must be ssh: hosts are reached by ssh only'],
  ['all: { hosts: { "a[9:1]": } }\n', 'hosts.yaml: the range in "a[9:1]" must go up'],
  ['all: { hosts: { "a[1:99999]": } }\n', 'at most 2000 hosts'],
  ['a: { children: { b: { children: { a: } } } }\n', 'hosts.yaml: the group "a" is within itself: a > b > a'],
  [
    'a: { children: { b: } }\nb: { children: { a: { hosts: { x: } } } }\n',
    'its groups are within each other in a circle',
  ],
  ['all:\n  hosts: [a, b]\n', 'hosts.yaml:2: all.hosts: must be a mapping of keys to values'],
  ['all:\n', 'hosts.yaml: it has no hosts'],
  ['', 'it is empty'],
] as const)('%j is refused with the line and what to write', async ([text, message]) => {
  expect(await fault(text)).toContain(message);
});

test('ranges are those of Ansible', () => {
  expect(expandRange('r[1:2]-u[a:b]', 10)).toEqual(['r1-ua', 'r1-ub', 'r2-ua', 'r2-ub']);
  expect(expandRange('h[008:012:2]', 10)).toEqual(['h008', 'h010', 'h012']);
  expect(expandRange('h[1:11]', 10)).toBeNull();
  expect(expandRange('plain', 10)).toEqual(['plain']);
});

test('words are split as by a shell', () => {
  expect(splitWords(` -o 'a b'"c\\"d" \\ e '' `)).toEqual(['-o', 'a bc"d', ' e', '']);
  expect(splitWords('"')).toBeNull();
});

test.for([
  [['-J', 'gate', '-oA=b', '-vCo', 'A b', '-4'], null],
  [['-v', 'host'], 'host'],
  [['-p22', 'host'], 'host'],
  [['--', 'host'], '--'],
  [['-'], '-'],
  [['-C', '-i'], '-i'],
] as const)('of %j, ssh would take %j for no option', ([words, stray]) => {
  expect(findStrayWord(words)).toBe(stray);
});

test('a name steers neither the unit of a service nor the shell of its script', () => {
  const name = `it's %n $(id) \\`;
  const up = { archiveId: 'a', archiveBytes: 1, controller: 'http://c', token: 't', agentArguments: [] };
  const lines = makeScript('up', name, { ...up, lifetime: 'service' }).split('\n');
  expect(lines).toContain(`name='it'\\''s %n $(id) \\'`);
  expect(lines).toContain(`description='Agent it'\\''s %%n $(id) \\ of HTTP-AE'`);
});

test('of a line of another machine only the beginning is kept, however it comes', async () => {
  const lines: string[] = [];
  const stream = Readable.from([
    'on',
    'e\r',
    '\ntwo\n',
    ...Array.from({ length: 100 }, () => 'x'.repeat(1000)),
    '\nlast',
  ]);
  readCutLines(stream, (line) => lines.push(line));
  await new Promise((resolve) => stream.on('close', resolve));
  expect(lines).toEqual(['one', 'two', 'x'.repeat(10_000), 'last']);
});

const host: SshHost = {
  name: 'lab-1',
  address: '192.0.2.7',
  user: 'ann',
  port: 2222,
  privateKeyFile: '/k',
  sshArguments: ['-J', 'gate'],
  isRootWanted: false,
  agentArguments: [],
};

test('ssh asks for nothing, checks keys of hosts as ever, and takes the address for nothing else', () => {
  const words = listSshArguments({ ...host, address: '-x' }, { command: 'c', tunnel: { host: '::1', port: 8420 } });
  expect(words).toEqual(expect.arrayContaining(['BatchMode=yes', '-J', 'gate', '-l', 'ann', '-p', '2222']));
  expect(words.slice(-5)).toEqual(['-R', '127.0.0.1:0:[::1]:8420', '--', '-x', 'c']);
  expect(words.join(' ')).not.toContain('StrictHostKeyChecking');
});

test('a tunnel shares no connection, though the inventory has one: ssh takes the first of two values', () => {
  const shared = { ...host, sshArguments: ['-o', 'ControlPath=~/.ssh/%C'] };
  const pathsOf = (tunnel: ReverseTunnel | null) =>
    listSshArguments(shared, { command: 'c', tunnel }).filter((word) => word.startsWith('ControlPath'));
  expect(pathsOf({ host: '127.0.0.1', port: 8420 })[0]).toBe('ControlPath=none');
  expect(pathsOf(null)).toEqual(['ControlPath=~/.ssh/%C']);
});

test('hosts get the program, and nothing that a person keeps beside it', async () => {
  await using folder = await makeTemporaryFolder();
  const write = async (file: string) => {
    await mkdir(path.dirname(path.join(folder.path, file)), { recursive: true });
    await writeFile(path.join(folder.path, file), file);
  };
  const program = ['.npmrc', 'http-ae', 'package-lock.json', 'package.json', 'tsconfig.json'];
  const folders = ['agent', 'cli', 'controller', 'core', 'extension', 'httpep', 'probe', 'site', 'testbed'];
  program.push(...folders.map((name) => `${name}/main.ts`), 'extension/dist/chrome/manifest.json');
  for (const file of program) await write(file);
  const { id } = await packProgram(folder.path);
  for (const file of ['hosts.yaml', 'backup.tar', 'study-users/findings.md', 'node_modules/a/index.js'])
    await write(file);
  const packed = await packProgram(folder.path);
  expect(packed.id).toBe(id);
  const list = spawnSync('tar', ['-tzf', '-'], { input: packed.bytes, encoding: 'utf8' });
  expect(list.stdout.trimEnd().split('\n')).toEqual(program.toSorted());
});

test.for([
  [
    '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.',
    "ssh-keygen -R '[192.0.2.7]:2222'",
  ],
  ['WARNING: REVOKED HOST KEY DETECTED!\nHost key verification failed.', 'its host key is revoked in known_hosts'],
  [
    'Unable to negotiate with 192.0.2.7 port 2222: no matching host key type found. Their offer: ssh-dss',
    'no algorithm in common (no matching host key type found. Their offer: ssh-dss)',
  ],
  [
    'Load key "/k": error in libcrypto\nann@192.0.2.7: Permission denied (publickey).',
    'the key /k is none that the ssh of this machine can read',
  ],
  ['Host key verification failed.', 'Log in once by "ssh -p 2222 ann@192.0.2.7"'],
  ['ann@192.0.2.7: Permission denied (publickey).', 'ssh-copy-id -p 2222 ann@192.0.2.7'],
  [
    'Warning: Identity file /k not accessible: No such file or directory.\nann@192.0.2.7: Permission denied (publickey).',
    'the key /k cannot be read on this machine',
  ],
  ['Error: remote port forwarding failed for listen port 0', 'allows no tunnel back (AllowTcpForwarding'],
  ['ssh: Could not resolve hostname x: Name or service not known', 'has no address'],
  ['ssh: connect to host 192.0.2.7 port 2222: Connection refused', 'no sshd listens at ann@192.0.2.7:2222'],
  ['ssh: connect to host 192.0.2.7 port 2222: No route to host', 'nothing answers at'],
  ['sudo: a password is required', 'NOPASSWD'],
  ['sh: 1: exec: sudo: not found', 'it has no sudo'],
] as const)('%j is explained', ([words, explanation]) => {
  expect(explainSshFailure(host, words)).toContain(explanation);
});

const byPassword: TypedLogin = {
  by: { kind: 'password', password: 'geheim' },
  hostKey: null,
  knownHostsFile: '/a b/50%',
};
const byKey: TypedLogin = { ...byPassword, by: { kind: 'key', key: 'KEY', passphrase: 'geheim' } };

test('what was typed for one host is in no argument, and no configuration or other key is used beside it', () => {
  for (const login of [byPassword, byKey]) {
    const words = listSshArguments({ ...host, sshArguments: [], login }, { command: 'c', tunnel: null });
    expect(words).toEqual(expect.arrayContaining(['-F', 'none', 'StrictHostKeyChecking=ask', 'IdentityFile=none']));
    expect(words).toContain('UserKnownHostsFile="/a b/50%%" ~/.ssh/known_hosts');
    expect(words.join('\n')).not.toMatch(/BatchMode|geheim|KEY/);
  }
});

test.for([
  [byPassword, 'ann@x: Permission denied (publickey,password).', 'does not let "ann" in with this password'],
  [byPassword, 'ann@x: Permission denied (publickey).', 'its sshd lets "ann" in by keys only'],
  [
    byPassword,
    'no answer to: (ann@x) Verification code: ',
    'asks for more than a password ((ann@x) Verification code:)',
  ],
  [
    byPassword,
    'no answer to: (ann@x) Password: \nann@x: Permission denied (publickey,password).',
    'does not let "ann" in with this password',
  ],
  [byKey, 'ann@x: Permission denied (publickey,password).', 'does not let "ann" in with this key'],
  [byKey, 'ssh: connect to host x port 22: Connection refused', 'no sshd listens at ann@192.0.2.7:2222'],
] as const)('of a login by %j, %j is explained', ([login, words, explanation]) => {
  expect(explainSshFailure({ ...host, login }, words)).toContain(explanation);
});

test('the key that a person has to compare is the one that ssh asked about, if it did not go on', () => {
  const question = `The authenticity of host 'x' can't be established.\nED25519 key fingerprint is SHA256:${'a'.repeat(43)}.\n`;
  expect(findUnknownKey(`${question}Host key verification failed.`)).toEqual({
    type: 'ED25519',
    fingerprint: `SHA256:${'a'.repeat(43)}`,
  });
  expect(findUnknownKey(question)).toBeNull();
  expect(findUnknownKey('Host key verification failed.')).toBeNull();
});

test('so many hosts at a time are worked at, and the results keep their order', async () => {
  let running = 0;
  let most = 0;
  const results = await forEachHost([5, 1, 4, 2, 3], 2, async (each) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, each));
    running--;
    return each * 10;
  });
  expect([results, most]).toEqual([[50, 10, 40, 20, 30], 2]);
});

test('the state of hosts is a table', () => {
  const known = { name: 'a', target: 'ann@a', isConnected: true, agent: 'service', program: 'current' } as const;
  expect(
    formatStatus([
      { ...known, reason: null },
      { ...known, name: 'long-name', isConnected: null, agent: 'unknown', program: 'unknown', reason: 'off' },
    ]),
  ).toEqual([
    'Host       SSH    Controller  HTTP-AE   Agent',
    'a          ann@a  connected   this one  runs, as a service',
    'long-name  ann@a  unknown     unknown   unknown',
  ]);
});
