import { InvalidArgumentError } from 'commander';

/** For an option: where a Controller is. */
export function readControllerUrl(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('It must be the complete URL of a Controller, such as http://127.0.0.1:8420.');
  return text.replace(/(?<!\/)\/+$/, '');
}
