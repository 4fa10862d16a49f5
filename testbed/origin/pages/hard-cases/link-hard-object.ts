import { linkObject, type PageQuery } from '../../object-link.ts';
import { hardObjects } from './all-hard-cases.ts';

/** How long the object of `?last=` is held back: long after everything else that its page has. */
const heldBackMs = 1500;

interface LinkingPage {
  query: PageQuery;
  crossOriginUrl: string;
}

/** The URLs of the hard cases' objects, as a page or a document of that page names them. */
export function linkHardObject({ query, crossOriginUrl }: LinkingPage): (name: string) => string {
  return (name) => {
    const object = hardObjects.get(name);
    if (!object) throw new Error(`No hard case has an object "${name}"`);
    return linkObject(query, {
      path: object.path ?? `/hard-cases/${name}`,
      name,
      counts: object.counts,
      delayMs: object.delayMs + (query.last === name ? heldBackMs : 0),
      foreignUrl: object.isForeign ? crossOriginUrl : null,
    });
  };
}
