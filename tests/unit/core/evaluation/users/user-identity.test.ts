import { describe, expect, it } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';

function problemsOf(...userAgents: object[]): string[] {
  const result = EvaluationSchema.safeParse({
    name: 'Two users behind one interface',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: userAgents.map((userAgent, index) => ({
      name: `user ${index}`,
      host: 'remote',
      urlList: 'pages',
      ...userAgent,
    })),
    scenarios: [{ name: 'A', baseline: true }],
  });
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('an address of a User Agent’s own', () => {
  it('is had by an OS user, named or numbered, in IPv4 or IPv6', () => {
    expect(
      problemsOf(
        { osUser: 'alice', sourceAddress: '10.9.1.1', interface: 'eth0.7' },
        { osUser: 20002, sourceAddress: 'fd00::2' },
        { osUser: 'carol' },
      ),
    ).toEqual([]);
  });

  it('is the host’s own without an OS user, and then of all there that have none', () => {
    const [own, other] = [{ sourceAddress: '10.9.1.1' }, { sourceAddress: '10.9.1.2' }];
    expect(problemsOf(own, { ...other, host: 'ground' }, { ...other, osUser: 20001 })).toEqual([]);
    expect(problemsOf(own, other)).toEqual([
      'userAgents.1.sourceAddress: "user 0" is on "remote" too, and neither has an "osUser", so the traffic cannot come from both 10.9.1.1 and 10.9.1.2: give each an "osUser" or its own host',
    ]);
    expect(problemsOf(own, {})).toEqual([expect.stringContaining('from both 10.9.1.1 and the address of the host')]);
  });

  it('is the only one of its OS user on that host', () => {
    const [first, second] = [
      { osUser: 20001, sourceAddress: '10.9.1.1' },
      { osUser: 20001, sourceAddress: '10.9.1.2' },
    ];
    expect(problemsOf(first, second)).toEqual([
      'userAgents.1.osUser: 20001 is the OS user of "user 0" on "remote" too, so the traffic cannot come from both 10.9.1.1 and 10.9.1.2: use another OS user, or the same address',
    ]);
    expect(problemsOf(first, { osUser: 20001 })).toEqual([
      expect.stringContaining('from both 10.9.1.1 and the address of the host'),
    ]);
    expect(problemsOf(first, first)).toEqual([]);
    expect(problemsOf(first, { ...second, host: 'ground' })).toEqual([]);
  });

  it.each([
    ['osUser', 1],
    ['osUser', 4_294_967_294],
    ['osUser', `_${'x'.repeat(31)}`],
    ['osUser', 'Anna.b-c_1'],
    ['sourceAddress', '::1'],
    ['interface', 'eth0.7-lan_abcd'],
  ])('may be %s: %s', (field, value) => {
    expect(problemsOf({ osUser: 20001, [field]: value })).toEqual([]);
  });

  it.each([
    // That number means "no user" to the kernel.
    ['osUser', 4_294_967_295, 'must be the name of an OS user'],
    ['osUser', -1, 'must not be root'],
    ['osUser', 'x'.repeat(33), 'must be the name of an OS user'],
    ['osUser', '', 'must be the name of an OS user'],
    ['osUser', '1st', 'must be the name of an OS user'],
    ['interface', '', 'must be the name of a network interface'],
    ['interface', 'a-name-of-16-xyz', 'at most 15'],
    ['osUser', 'root', 'must not be root'],
    ['osUser', 0, 'must not be root'],
    ['osUser', '20001', 'number without quotes'],
    ['osUser', '-reuid', 'must be the name of an OS user'],
    ['osUser', 1.5, 'must be the name of an OS user'],
    ['sourceAddress', '10.9.1.1/24', 'without a prefix length'],
    ['sourceAddress', '10.9.1', 'must be an IPv4 or IPv6 address'],
    ['interface', 'eth+', 'must be the name of a network interface'],
    ['interface', '-o', 'must be the name of a network interface'],
    ['interface', 'an-interface-too-long', 'at most 15'],
  ])('refuses %s: %s', (field, value, problem) => {
    expect(problemsOf({ osUser: 20001, [field]: value })).toEqual([
      expect.stringMatching(new RegExp(`^userAgents.0.${field}: .*${problem}`)),
    ]);
  });
});
