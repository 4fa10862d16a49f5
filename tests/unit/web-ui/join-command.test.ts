import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { joinCommand } from '#web-ui/src/pages/hosts/add-host-dialog.tsx';

test.for(['lab-1', 'the lab', "Ann's; rm -rf ~", '$(reboot)', '`id`', '-n', ''])(
  'a shell reads the name %j as it was written',
  (name) => {
    const command = joinCommand({ controller: 'http://127.0.0.1:8080', token: 'hae_x-_1', name }).replace(
      './http-ae',
      'printf "%s\\n"',
    );
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n');
    expect(words.slice(0, -1)).toEqual([
      'agent',
      '--controller',
      'http://127.0.0.1:8080',
      '--token',
      'hae_x-_1',
      '--name',
      name,
    ]);
  },
);

test('scripts are allowed only where that was asked for', () => {
  const host = { controller: 'https://http-ae.test', token: 'hae_1', name: 'lab' };
  expect(joinCommand(host)).not.toContain('--allow-scripts');
  expect(joinCommand({ ...host, allowsScripts: true })).toBe(`${joinCommand(host)} --allow-scripts`);
});
