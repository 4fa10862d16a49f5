import { defaultPaceRatio, type Httpep } from '../../evaluation/network/httpep.ts';
import type { ScenarioSetting } from './scenario-setting.ts';

/** HTTPEP of a Scenario, in words; nothing where it has none. */
export function listHttpepSettings(httpep: Httpep | undefined): ScenarioSetting[] {
  if (!httpep) return [];
  const {
    connections,
    scheduler,
    classes,
    rateKbps,
    paceRatio,
    bundling,
    text,
    images,
    imageQuality,
    tls,
    ground,
    remote,
  } = httpep;
  const shares = Object.entries(classes ?? {}).map(([name, weight]) => `${name} ${weight}`);
  const words = [
    `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    `scheduler ${scheduler}`,
    ...(shares.length > 0 ? [`weights ${shares.join(', ')}`] : []),
    ...(bundling ? [] : ['no bundling']),
    `text ${text}`,
    images === 'none' ? 'images as they are' : `images with a loss (${images}, quality ${imageQuality})`,
    ...(tls === 'terminate' ? ['TLS ended'] : []),
    sayRate(rateKbps),
    ...(paceRatio === defaultPaceRatio ? [] : [`paced at ${paceRatio} of it`]),
  ];
  return [
    {
      name: 'HTTPEP',
      value: httpep,
      words: words.join('; '),
      wholeWords: `${words.join('; ')}; ground end ${ground.address} on ${ground.host}, remote end ${remote.address} on ${remote.host}`,
    },
  ];
}

function sayRate(rateKbps: Httpep['rateKbps']): string {
  if (rateKbps === undefined) return 'rate of the link';
  return rateKbps === 'auto' ? 'rate estimated' : `${rateKbps} kb/s`;
}
