/** Writes a file that only its owner may read, and returns its path. */
type Write = (name: string, text: string) => Promise<string>;

interface Files {
  keyFile: () => string;
  write: Write;
}

/** What the ends refuse: a name, the words after `pep`, and what the message says. */
export function listRefusedOptions({
  keyFile,
  write,
}: Files): [string, string[] | (() => Promise<string[]>), string][] {
  return [
    ['no end', ['sky', '--listen', 'a:1', '--key', 'x'], 'Allowed choices are ground, remote.'],
    ['no address', ['ground', '--listen', '3128', '--key', 'x'], 'It must be HOST:PORT, such as 127.0.0.1:3128'],
    ['a port that does not exist', ['ground', '--listen', 'a:70000', '--key', 'x'], 'It must be HOST:PORT'],
    ['no key', ['ground', '--listen', 'a:1'], "required option '--key <FILE>' not specified"],
    ['no key file', ['ground', '--listen', 'a:1', '--key', '/nowhere/key'], '/nowhere/key cannot be read'],
    [
      'no ground end',
      () => Promise.resolve(['remote', '--listen', '127.0.0.1:0', '--key', keyFile()]),
      'The remote end needs --ground HOST:PORT',
    ],
    [
      'another end’s option',
      () => Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile(), '--clients', '::1']),
      'The ground end has no --clients',
    ],
    [
      'that nothing is fetched ahead, said to the end that fetches nothing',
      () =>
        Promise.resolve([
          ...['remote', '--listen', '127.0.0.1:0', '--ground', 'a:1', '--key', keyFile(), '--no-bundling'],
        ]),
      'The remote end has no --no-bundling',
    ],
    [
      'what is no key of a web server',
      ['ground', '--listen', 'a:1', '--key', 'x', '--trusted-keys', `${'A'.repeat(43)}=,${'0f'.repeat(32)}`],
      'Each must be the base64 SHA-256 of a public key.',
    ],
    [
      'a short key',
      async () => ['ground', '--listen', '127.0.0.1:0', '--key', await write('short', 'secret')],
      'fewer than 32 characters. Make one with',
    ],
    ['too many connections', ['remote', '--listen', 'a:1', '--key', 'x', '--connections', '17'], 'from 1 to 16'],
    [
      'no rate',
      ['ground', '--listen', 'a:1', '--key', 'x', '--rate', '2Mb'],
      'A rate is auto, or a number from 1 to 10000000 kb/s.',
    ],
    ['too small a share', ['ground', '--listen', 'a:1', '--key', 'x', '--pace-ratio', '0.4'], 'from 0.5 to 1'],
    [
      'a share of no rate',
      () => Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile(), '--pace-ratio', '0.9']),
      '--pace-ratio needs the rate of the link: add --rate',
    ],
    ['no quality', ['ground', '--listen', 'a:1', '--key', 'x', '--image-quality', '0'], 'a whole number from 1 to 100'],
    [
      'a network that does not exist',
      () =>
        Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile(), '--allow-private', '10.0.0.0/8,x']),
      '--allow-private: x is no address',
    ],
    [
      'a file that cannot be written',
      () => Promise.resolve(['ground', '--listen', '127.0.0.1:0', '--key', keyFile(), '--counters', '/proc/no/file']),
      '/proc/no/file cannot be written',
    ],
    [
      'no network',
      () =>
        Promise.resolve([
          'remote',
          '--listen',
          '127.0.0.1:0',
          '--ground',
          'a:1',
          '--key',
          keyFile(),
          '--clients',
          '10.0.0.0/40',
        ]),
      '10.0.0.0/40 is no address',
    ],
    [
      'classes with a wrong field',
      async () => [
        'ground',
        '--listen',
        '127.0.0.1:0',
        '--key',
        keyFile(),
        '--classes',
        await write('classes', 'gold: { weight: -1 }'),
      ],
      'gold.weight',
    ],
    [
      'a user of two classes',
      async () => [
        'ground',
        '--listen',
        '127.0.0.1:0',
        '--key',
        keyFile(),
        '--classes',
        await write('twice', 'a: { weight: 1, users: [u] }\nb: { weight: 2, users: [u] }'),
      ],
      'u is in a and in b',
    ],
    [
      'a user without a password',
      async () => [
        'remote',
        '--listen',
        '127.0.0.1:0',
        '--ground',
        'a:1',
        '--key',
        keyFile(),
        '--credentials',
        await write('users', '# all\nann:x\nbob\n'),
      ],
      'line 3: write name:password',
    ],
  ];
}
