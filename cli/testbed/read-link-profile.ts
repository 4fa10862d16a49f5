import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidInputError } from '#controller/api/invalid-input-error.ts';
import { readYaml } from '#controller/api/read-yaml.ts';
import { AppError } from '#core/app-error.ts';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { linkPresetNames, type LinkPreset } from '#core/evaluation/network/link-profile-presets.ts';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { inlineRateTraces } from '../link/inline-rate-traces.ts';

/** The profile of that name, or in that YAML file. Throws `invalid-input` with each fault and its line. */
export async function readLinkProfile(nameOrFile: string): Promise<LinkProfile> {
  if (isPreset(nameOrFile)) return resolveLinkProfile({ preset: nameOrFile });
  const input = parse(nameOrFile, await inlineRateTraces(await read(nameOrFile), nameOrFile));
  return resolveLinkProfile(input, path.parse(nameOrFile).name);
}

function isPreset(name: string): name is LinkPreset {
  return linkPresetNames.some((preset) => preset === name);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `"${file}" is not a link profile: name a preset (${linkPresetNames.join(', ')}) or a YAML file (${(cause as Error).message})`,
      { cause },
    );
  }
}

function parse(file: string, yaml: string) {
  try {
    return readYaml(yaml, LinkProfileInputSchema);
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.issues.length === 0) throw error;
    const faults = error.issues.map(({ line, path: field, message }) =>
      [`${file}${line === null ? '' : `:${line}`}`, field, message].filter(Boolean).join(': '),
    );
    throw new AppError('invalid-input', faults.join('\n'), { cause: error });
  }
}
