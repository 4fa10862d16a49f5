import { Option } from 'commander';
import { readControllerUrl } from './read-controller-url.ts';

/** How a command names the Controller it talks to; both are found without flags where `./http-ae up` runs on this machine. */
export interface ControllerOptions {
  controller?: string;
  token?: string;
}

export function controllerOption(): Option {
  return new Option('--controller <URL>', 'the Controller; else the one that "./http-ae up" runs on this machine').env('HTTP_AE_CONTROLLER').argParser(readControllerUrl);
}

export function tokenOption(): Option {
  return new Option('--token <TOKEN>', 'an api token, made in the web UI or by "./http-ae token create --api"; by HTTP_AE_TOKEN it stays out of the list of processes').env('HTTP_AE_TOKEN');
}
