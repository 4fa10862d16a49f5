/** What tells a URL from its neighbours in a list: the end of its path, with its query; its host where there is no path. */
export function nameObject(url: string): { name: string; host: string } {
  if (!URL.canParse(url)) return { name: url, host: '' };
  const { pathname, search, host } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '');
  return { name: (last ?? '/') + search, host };
}
