import { beforeAll, describe, expect, it } from 'vitest';
import type { UserSettings } from '#agent/users/prepare-user.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { writeSettings } from '#testbed/namespaces/connect-nodes.ts';
import { PlaceProgram } from './support/place-program.ts';
import { holdForAll } from '#tests/support/hold.ts';

const network = holdForAll(openTestbedNetwork);
beforeAll(async () => {
  await writeSettings(network.namespaces.remote, { 'net/ipv6/conf/lo/disable_ipv6': 0 });
  for (const address of ['198.19.1.1/32', '198.19.1.2/32', 'fd00::5/128'])
    // Without it, an IPv6 address is tentative at first.
    await inRemote('ip', 'address', 'add', address, 'dev', 'lo', ...(address.includes(':') ? ['nodad'] : []));
});

const inRemote = (...command: [string, ...string[]]) => runTool(...network.enter('remote'), ...command);

/** What each of these users is seen as by a server on `host`, or why it is refused. Nothing may be left of them. */
async function ask(users: UserSettings[], { host = '127.0.0.1' } = {}): Promise<string[]> {
  const readState = async () => [
    await inRemote('ip', '-o', 'address'),
    await inRemote('iptables', '-t', 'nat', '-S'),
    await inRemote('ip6tables', '-t', 'nat', '-S'),
  ];
  const earlier = await readState();
  await using program = new PlaceProgram(network.enter('remote'), 'ask-as-users.ts', JSON.stringify({ users, host }));
  const answers = JSON.parse(await program.readLine()) as string[];
  expect(await readState()).toEqual(earlier);
  return answers;
}

describe('an address of a user’s own', () => {
  it('is seen by the server, in IPv4 and in IPv6, and only that user has it', async () => {
    const user = { osUser: 20_001, sourceAddress: '198.19.1.1', interface: 'lo' };
    expect(await ask([user, { osUser: 20_002 }, { ...user, osUser: 20_003 }, {}])).toEqual([
      '198.19.1.1',
      '127.0.0.1',
      '198.19.1.1',
      '127.0.0.1',
    ]);
    expect(
      await ask([{ osUser: 'daemon', sourceAddress: 'fd00:0::0:5', interface: 'lo' }, {}], { host: '::1' }),
    ).toEqual(['fd00::5', '::1']);
  });

  it('needs no interface where one has it', async () => {
    expect(await ask([{ osUser: 20_001, sourceAddress: '198.19.1.2' }])).toEqual(['198.19.1.2']);
  });

  it('comes before a rule that would translate all traffic', async () => {
    await inRemote('iptables', '-t', 'nat', '-A', 'POSTROUTING', '-o', 'lo', '-j', 'SNAT', '--to-source', '127.0.0.9');
    expect(await ask([{ osUser: 20_001, sourceAddress: '198.19.1.1', interface: 'lo' }, {}])).toEqual([
      '198.19.1.1',
      '127.0.0.9',
    ]);
    await inRemote('iptables', '-t', 'nat', '-F', 'POSTROUTING');
  });

  it.each([
    [
      'a user that does not exist',
      { osUser: 'nobody-at-all' },
      'osUser: this host has no user "nobody-at-all": make it with "sudo useradd --system nobody-at-all", or write a number, which needs no account',
    ],
    [
      'an interface that is gone',
      { interface: 'eth7' },
      'interface: this host has no interface "eth7" that is up and has an address; those that are: lo, ',
    ],
    [
      'an address that the interface lacks',
      { sourceAddress: '198.19.1.3', interface: 'lo' },
      'sourceAddress: lo does not have the address 198.19.1.3: add it with "sudo ip address add 198.19.1.3 dev lo"',
    ],
    [
      'an address that no interface has',
      { sourceAddress: '198.19.1.3' },
      'sourceAddress: no interface of this host has 198.19.1.3: add it to one with',
    ],
  ])('refuses %s', async (_, settings, message) => {
    expect(await ask([{ osUser: 20_001, ...settings }])).toEqual([expect.stringContaining(`user-refused: ${message}`)]);
  });

  it('is the host’s own without an OS user, where the interface has no other', async () => {
    const alone = { sourceAddress: network.remote.address, interface: 'link0' };
    expect(await ask([alone], { host: network.remote.address })).toEqual([network.remote.address]);
    expect(await ask([{ sourceAddress: '198.19.1.1', interface: 'lo' }])).toEqual([
      expect.stringContaining(
        'user-refused: sourceAddress: lo has 127.0.0.1, 198.19.1.2 beside 198.19.1.1, and requests might come from there: write an osUser',
      ),
    ]);
  });

  it('refuses a second address of one OS user', async () => {
    const [first, second] = [1, 2].map((number) => ({
      osUser: 20_001,
      sourceAddress: `198.19.1.${number}`,
      interface: 'lo',
    }));
    expect(await ask([first!, second!])).toEqual([
      '198.19.1.1',
      expect.stringContaining(
        'user-refused: sourceAddress: what OS user 20001 sends by lo comes from 198.19.1.1 already',
      ),
    ]);
  });

  it('is refused to an Agent that is not root of the machine, and without iptables, with what to do', async () => {
    const settings = JSON.stringify({
      users: [{ osUser: 20_001, sourceAddress: '127.0.0.1', interface: 'lo' }],
      host: '127.0.0.1',
    });
    await using withoutTools = new PlaceProgram(
      ['unshare', '--mount', 'sh', '-ec', 'mount -t tmpfs none /usr/sbin; exec "$@"', 'sh'],
      'ask-as-users.ts',
      settings,
    );
    expect(await withoutTools.readLine()).toContain(
      '`iptables-save` is needed, which this host lacks: install iptables',
    );
    await using unprivileged = new PlaceProgram(['unshare', '--user', '--'], 'ask-as-users.ts', settings);
    expect(await unprivileged.readLine()).toContain(
      'user-refused: osUser: only an Agent on Linux that is root can run browsers as other users: start it with sudo',
    );
    await using rootless = new PlaceProgram(
      ['unshare', '--user', '--map-root-user', '--'],
      'ask-as-users.ts',
      settings,
    );
    expect(await rootless.readLine()).toContain(
      'user-refused: osUser: the Agent is root in a user namespace only, where there is no user 20001',
    );
  });
});
