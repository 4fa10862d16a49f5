import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../../exchange.ts';
import { linkObject, type PageQuery } from '../../object-query.ts';
import { noIcon } from '../render-page.ts';
import { allHardCases, hardObjects } from './all-hard-cases.ts';
import type { HardCase } from './hard-case.ts';
import { plainImages } from './images.ts';

/** How long the object of `?last=` is held back: long after everything else that its page has. */
const heldBackMs = 1500;

interface LinkingPage {
  query: PageQuery;
  crossOriginUrl: string;
}

/** Between the parts of the HTML, so that the base page itself takes its time. */
const partGapMs = 60;

const style = `<style>
  body { margin: 4px; font: 16px/1 sans-serif }
  .top { width: 640px; min-height: 100vh }
  .below { padding-top: 50vh }
  .box { display: inline-block; width: 60px; height: 60px }
  iframe { border: 0 }
</style>`;

/**
 * `/hard-cases`: all that a probe may get wrong, on one page. What counts for the viewport is within its first
 * 660 × 500 px, the rest below any viewport. `?last=OBJECT` leaves the other cases out (but for two plain images) and holds
 * that object back by 1.5 s, so that it alone decides.
 */
export async function sendHardCasesPage(exchange: Exchange): Promise<void> {
  const urlOf = linkHardObject(exchange);
  const parts = chooseCases(exchange.query.last).map((hardCase) => hardCase.render(urlOf));
  const collect = (part: 'head' | 'top' | 'below') => parts.map((pieces) => pieces[part] ?? '').join('\n');

  exchange.begin({ type: 'text/html; charset=utf-8' });
  await exchange.write(`<!doctype html>
<html lang=en>
<head><meta charset=utf-8><title>Hard cases</title>${noIcon}${style}
${collect('head')}
</head>
<body>
<div class=top>
`);
  await exchange.wait(partGapMs);
  await exchange.write(`${collect('top')}\n</div>\n`);
  await exchange.wait(partGapMs);
  exchange.end(`<div class=below>\n${collect('below')}\n</div>\n</body>\n</html>\n`);
}

function chooseCases(last: string | undefined): HardCase[] {
  if (last === undefined) return allHardCases;
  if (!hardObjects.has(last)) {
    throw new AppError('invalid-input', `last must be one of ${[...hardObjects.keys()].join(', ')}, not "${last}"`);
  }
  return allHardCases.filter((hardCase) => hardCase === plainImages || Object.hasOwn(hardCase.objects, last));
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
