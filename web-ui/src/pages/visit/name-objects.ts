export interface ObjectName {
  name: string;
  /** Empty where the name has it. */
  host: string;
}

/** What distinguishes each URL from all others of a list: the end of its path, with its query, and its host; where others end alike the whole path, or else the whole address. */
export function nameObjects(urls: Iterable<string>): Map<string, ObjectName> {
  const names = new Map<string, ObjectName>();
  let unnamed = [...new Set(urls)];
  for (const nameObject of [byLastPart, byPath, byAddress]) {
    const alike = [...Map.groupBy(unnamed, (url) => JSON.stringify(nameObject(url))).values()];
    for (const [url, ...others] of alike) if (others.length === 0) names.set(url!, nameObject(url!));
    unnamed = alike.filter((group) => group.length > 1).flat();
  }
  return names;
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** The path of a page with its query; the whole text where it is no address. */
export function pathOf(url: string): string {
  return byPath(url).name;
}

function byLastPart(url: string): ObjectName {
  if (!URL.canParse(url)) return byAddress(url);
  const { pathname, search, host } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '');
  return { name: (last ?? '/') + search, host };
}

function byPath(url: string): ObjectName {
  if (!URL.canParse(url)) return byAddress(url);
  const { pathname, search, host } = new URL(url);
  return { name: pathname + search, host };
}

function byAddress(url: string): ObjectName {
  return { name: url, host: '' };
}
