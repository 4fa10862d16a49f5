import { Option } from 'commander';
import { readControllerUrl } from './option-parsers.ts';

/** How a command names the Controller it talks to; both are found without flags where `./http-ae up` runs on this machine. */
export interface ControllerOptions {
  controller?: string;
  token?: string;
}

export function controllerOption(): Option {
  return new Option('--controller <URL>', 'the Controller (default: the one that "./http-ae up" runs on this machine)')
    .env('HTTP_AE_CONTROLLER')
    .argParser(readControllerUrl);
}

export function tokenOption(): Option {
  return new Option(
    '--token <TOKEN>',
    'an api token, from the web UI or "./http-ae token create --api". HTTP_AE_TOKEN keeps it out of the process list',
  ).env('HTTP_AE_TOKEN');
}
