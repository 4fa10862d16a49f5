import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pepEnds, type PepEnd } from '#httpep/command/pep-options.ts';
import { readSettings, unitFolder } from './support/read-unit.ts';

const unitOf = (end: PepEnd) => `http-ae-pep-${end}.service`;
const hardening = {
  DynamicUser: 'yes',
  NoNewPrivileges: 'yes',
  CapabilityBoundingSet: '',
  ProtectSystem: 'strict',
  ProtectHome: 'yes',
  PrivateTmp: 'yes',
  PrivateDevices: 'yes',
  MemoryMax: '1G',
  MemoryDenyWriteExecute: 'no',
  Restart: 'on-failure',
  RestartPreventExitStatus: '2',
  StartLimitBurst: '20',
  LoadCredential: 'key:/etc/http-ae-pep/key',
};

test.each(pepEnds)(
  'the unit of the %s end is hardened, and the two differ only in the name of the end',
  async (end) => {
    const settings = readSettings(unitOf(end));
    expect(Object.fromEntries(Object.keys(hardening).map((name) => [name, settings.get(name)?.join('\n')]))).toEqual(
      hardening,
    );
    expect(settings.get('SystemCallFilter')![0]).toBe('@system-service');
    expect(settings.get('EnvironmentFile')).toEqual([`/etc/http-ae-pep/${end}.env`]);
    const text = await readFile(path.join(unitFolder, unitOf(end)), 'utf8');
    const ofGround = await readFile(path.join(unitFolder, unitOf('ground')), 'utf8');
    expect(text).toBe(ofGround.replaceAll(/\bground\b/g, end));
  },
);
